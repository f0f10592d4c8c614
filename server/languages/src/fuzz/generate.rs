//! Programs generated from any bytes: mostly well typed, so that they do something before they are stuck.

use std::fmt::Write;

use crate::Language;

/// The maximal size of a generated program in bytes.
const LARGEST: usize = 6000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    /// An array; in RCL a list.
    Array,
    Own,
    Shared,
    /// A function with this number of arguments and an integer result.
    Function(u8),
    /// A `rec` that is no function; in RCL a function in a cell.
    Run,
}

struct Generator<'d> {
    language: Language,
    data: std::slice::Iter<'d, u8>,
    text: String,
    /// The names in scope, with their kinds.
    names: Vec<(String, Kind)>,
    made: usize,
}

/// The program that these bytes determine in a language.
pub(super) fn program(language: Language, data: &[u8]) -> String {
    let mut generator =
        Generator { language, data: data.iter(), text: String::new(), names: Vec::new(), made: 0 };
    for kind in [Kind::Shared, Kind::Shared, Kind::Own, Kind::Function(2), Kind::Array] {
        let name = generator.fresh();
        generator.write(&format!("let {name} = "));
        generator.expression(kind, 3);
        generator.write(" in\n");
        generator.names.push((name, kind));
    }
    // Spawned threads that live for a while; the first thread does so, too.
    for _ in 0..generator.choose(4) {
        generator.write(if language == Language::Rcl { "spawn (fn parent => " } else { "spawn (" });
        generator.expression(Kind::Function(1), 4);
        generator.write(" 40);\n");
    }
    generator.expression(Kind::Function(1), 4);
    generator.write(" 40;\n");
    generator.expression(Kind::Integer, 6);
    generator.text
}

impl Generator<'_> {
    /// The next byte, modulo `n`; 0 when there is none left or the program is large enough, so that generation ends soon.
    fn choose(&mut self, n: u8) -> u8 {
        if self.text.len() > LARGEST { 0 } else { self.data.next().copied().unwrap_or(0) % n }
    }

    fn write(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn fresh(&mut self) -> String {
        self.made += 1;
        format!("v{}", self.made)
    }

    fn known(&mut self, kind: Kind) -> Option<String> {
        let fitting: Vec<&String> =
            self.names.iter().rev().filter(|(_, k)| *k == kind).map(|(name, _)| name).collect();
        let count = fitting.len().min(5) as u8;
        if count == 0 {
            return None;
        }
        let names: Vec<String> = fitting.into_iter().take(5).cloned().collect();
        let choice = self.choose(count);
        names.into_iter().nth(choice as usize)
    }

    fn number(&mut self) {
        let text = match self.choose(16) {
            0 => "0",
            1 => "1",
            2 => "2",
            3 => "~1",
            4 => "~3",
            5 => "3000000000",
            6 => "9223372036854775807",
            7 => "10",
            8 => "17",
            9 => "40",
            _ => "3",
        };
        self.write(text);
    }

    /// An expression in parentheses.
    fn expression(&mut self, kind: Kind, depth: u8) {
        // Occasionally an expression of another kind.
        let kind = match self.choose(60) {
            59 => Kind::Array,
            58 => Kind::Function(1),
            57 => Kind::Shared,
            56 => Kind::Own,
            55 => Kind::Integer,
            _ => kind,
        };
        if depth == 0 {
            return self.leaf(kind);
        }
        self.write("(");
        match self.choose(14) {
            6 if self.language == Language::Rcl => self.split(kind, depth),
            0 | 1 => self.leaf(kind),
            2 => self.binding(kind, depth),
            3 => {
                self.expression(Kind::Integer, depth - 1);
                self.write("; ");
                self.expression(kind, depth - 1);
            }
            4 => {
                self.write("if ");
                self.expression(Kind::Integer, depth - 1);
                self.write(" then ");
                self.expression(kind, depth - 1);
                self.write(" else ");
                self.expression(kind, depth - 1);
            }
            5 => {
                let cell = if self.choose(2) == 0 { Kind::Shared } else { Kind::Own };
                self.write("let ");
                let name = self.fresh();
                self.write(&name.clone());
                self.write(" = ");
                self.expression(cell, depth - 1);
                self.write(" in ");
                self.names.push((name, cell));
                self.expression(kind, depth - 1);
                self.names.pop();
            }
            _ => self.of_kind(kind, depth - 1),
        }
        self.write(")");
    }

    fn binding(&mut self, kind: Kind, depth: u8) {
        let bound = match self.choose(8) {
            0 | 1 => Kind::Integer,
            2 => Kind::Array,
            3 => Kind::Function(1),
            4 => Kind::Function(2),
            5 => Kind::Function(3),
            6 => Kind::Run,
            _ => Kind::Shared,
        };
        let name = self.fresh();
        if bound == Kind::Run {
            // A bounded loop with its own counter cell.
            let cell = self.fresh();
            let (begin, again, end) = match self.language {
                Language::Cl => (format!("rec {name} in ("), name, ")".to_owned()),
                Language::Rcl => (
                    format!("let {name} = lref 0 in ({name} := fn x => ("),
                    format!("(!{name} 0)"),
                    format!("); !{name} 0)"),
                ),
            };
            self.write(&format!("let {cell} = lref 3 in {begin}if !{cell} < 1 then "));
            self.expression(kind, depth - 1);
            self.write(&format!(" else ({cell} := !{cell} - 1; "));
            self.names.push((cell, Kind::Own));
            self.names.push((again.clone(), Kind::Run));
            if self.choose(3) == 0 && kind == Kind::Integer {
                self.write("1 + ");
            }
            self.write(&again);
            self.names.pop();
            self.names.pop();
            self.write(")");
            return self.write(&end);
        }
        self.write(&format!("let {name} = "));
        self.expression(bound, depth - 1);
        self.write(" in ");
        self.names.push((name, bound));
        self.expression(kind, depth - 1);
        self.names.pop();
    }

    /// Generates a `split` of a list, mostly with an `fn` at this place.
    fn split(&mut self, kind: Kind, depth: u8) {
        self.write("split ");
        let of = if self.choose(6) == 0 { Kind::Integer } else { Kind::Array };
        self.expression(of, depth - 1);
        self.write(" of ");
        if kind == Kind::Integer && self.choose(5) == 0 {
            self.expression(Kind::Function(2), depth - 1);
        } else {
            let (head, tail) = (self.fresh(), self.fresh());
            self.write(&format!("fn {head} => fn {tail} => "));
            self.names.extend([(head, Kind::Integer), (tail, Kind::Array)]);
            self.expression(kind, depth - 1);
            self.names.truncate(self.names.len() - 2);
        }
        self.write(" else ");
        self.expression(kind, depth - 1);
    }

    fn leaf(&mut self, kind: Kind) {
        if let Some(name) = self.known(kind) {
            return self.write(&name);
        }
        match kind {
            Kind::Integer | Kind::Run => self.number(),
            Kind::Array if self.language == Language::Rcl => self.write("[1, 2, \"ab\"]"),
            Kind::Array => self.write("(1, 2, \"ab\")"),
            Kind::Own => self.write("(lref 1)"),
            Kind::Shared => self.write("(gref 1)"),
            Kind::Function(1) => self.write("(fn x => x)"),
            Kind::Function(2) => self.write("(fn x => fn y => x)"),
            Kind::Function(_) => self.write("(fn x => fn y => fn z => y)"),
        }
    }

    fn of_kind(&mut self, kind: Kind, depth: u8) {
        match kind {
            Kind::Integer | Kind::Run => self.integer(depth),
            Kind::Array => self.array(depth),
            Kind::Own => {
                self.write("lref ");
                self.expression(Kind::Integer, depth);
            }
            Kind::Shared => {
                self.write("gref ");
                self.expression(Kind::Integer, depth);
            }
            Kind::Function(arity) => self.function(arity, depth),
        }
    }

    fn integer(&mut self, depth: u8) {
        match self.choose(24) {
            0..=5 => {
                let op = ["+", "-", "*", "<", "=", "/", "mod", "div", ">", "<=", ">=", "<>"];
                let known = if self.language == Language::Cl { 12 } else { 7 };
                self.expression(Kind::Integer, depth);
                let choice = self.choose(known) as usize;
                self.write(&format!(" {} ", op[choice]));
                if self.choose(2) == 0 {
                    self.number();
                } else {
                    self.expression(Kind::Integer, depth);
                }
            }
            6..=9 => {
                let arity = self.choose(3) + 1;
                self.expression(Kind::Function(arity), depth);
                for _ in 0..arity {
                    self.write(" ");
                    self.expression(Kind::Integer, depth);
                }
            }
            10 => self.prefix("~", Kind::Integer, depth),
            11 => self.prefix("typeof", Kind::Array, depth),
            12 => self.prefix("rand", Kind::Integer, depth),
            13 => self.prefix("!", Kind::Own, depth),
            14 => self.prefix("!", Kind::Shared, depth),
            15 => {
                let kind = if self.choose(2) == 0 { Kind::Own } else { Kind::Shared };
                self.expression(kind, depth);
                self.write(" := ");
                self.expression(Kind::Integer, depth);
            }
            16 => self.prefix("acquire", Kind::Shared, depth),
            17 => self.prefix("release", Kind::Shared, depth),
            18 => {
                // A lock that is released.
                let Some(cell) = self.known(Kind::Shared) else { return self.number() };
                self.write(&format!("acquire {cell}; {cell} := !{cell} + 1; "));
                self.expression(Kind::Integer, depth);
                self.write(&format!("; release {cell}"));
            }
            19 => self.prefix("do", Kind::Integer, depth),
            20 => {
                self.write("do 7");
            }
            21 | 22 if self.language == Language::Rcl => self.prefix("spawn", Kind::Function(1), depth),
            21 | 22 => self.prefix("spawn", Kind::Integer, depth),
            _ if self.language == Language::Rcl => self.split(Kind::Integer, depth.max(1)),
            _ => {
                self.expression(Kind::Array, depth);
                self.write("[");
                self.expression(Kind::Integer, depth.min(1));
                self.write("]");
            }
        }
    }

    fn prefix(&mut self, operator: &str, kind: Kind, depth: u8) {
        self.write(operator);
        self.write(" ");
        self.expression(kind, depth);
    }

    fn array(&mut self, depth: u8) {
        if self.language == Language::Rcl {
            return self.list(depth);
        }
        match self.choose(5) {
            0 | 1 => {
                self.expression(Kind::Array, depth);
                self.write("[");
                if self.choose(4) == 0 {
                    let index = u16::from(self.choose(255)) + u16::from(self.choose(60));
                    let _ = write!(self.text, "{index}");
                } else {
                    self.expression(Kind::Integer, depth.min(1));
                }
                self.write(" := ");
                self.expression(Kind::Integer, depth);
                self.write("]");
            }
            2 => {
                self.write("do (1, ");
                self.expression(Kind::Integer, depth);
                self.write(")");
            }
            3 => {
                let count = self.choose(40) + 2;
                self.write("(");
                for index in 0..count {
                    self.write(if index == 0 { "" } else { ", " });
                    if index == 5 { self.expression(Kind::Integer, depth) } else { self.leaf(Kind::Integer) }
                }
                self.write(")");
            }
            _ => {
                self.write("(");
                self.expression(Kind::Integer, depth);
                self.write(", ");
                self.expression(Kind::Array, depth);
                self.write(")");
            }
        }
    }

    fn list(&mut self, depth: u8) {
        match self.choose(5) {
            0 | 1 => {
                self.write("(");
                self.expression(Kind::Integer, depth);
                self.write(", ");
                self.expression(Kind::Array, depth);
                self.write(")");
            }
            2 => {
                self.write("do [1, ");
                self.expression(Kind::Integer, depth);
                self.write("]");
            }
            3 => {
                let count = self.choose(250);
                self.write("[");
                for index in 0..count {
                    self.write(if index == 0 { "" } else { ", " });
                    if index == 5 { self.expression(Kind::Integer, depth) } else { self.leaf(Kind::Integer) }
                }
                self.write("]");
            }
            _ => {
                self.write("(");
                self.expression(Kind::Array, depth);
                self.write(", (");
                self.expression(Kind::Shared, depth);
                self.write(", ");
                self.leaf(Kind::Function(1));
                self.write("))");
            }
        }
    }

    fn function(&mut self, arity: u8, depth: u8) {
        let outer = self.names.len();
        match self.choose(6) {
            // A function that counts down.
            0 | 1 => {
                let (itself, counter) = (self.fresh(), self.fresh());
                let (begin, again, end) = match self.language {
                    Language::Cl => (format!("rec {itself} in "), itself, String::new()),
                    Language::Rcl => (
                        format!("let {itself} = fn {itself} => "),
                        format!("{itself} {itself}"),
                        format!(" in {itself} {itself}"),
                    ),
                };
                self.write(&format!("{begin}fn {counter} => "));
                self.names.push((counter.clone(), Kind::Integer));
                let mut others = Vec::new();
                for _ in 1..arity {
                    let name = self.fresh();
                    self.write(&format!("fn {name} => "));
                    self.names.push((name.clone(), Kind::Integer));
                    others.push(name);
                }
                self.write(&format!("if {counter} < 1 then "));
                self.expression(Kind::Integer, depth);
                match self.choose(4) {
                    0 => self.write(" else "),
                    1 => self.write(" else 1 + "),
                    _ => {
                        self.write(" else ");
                        self.expression(Kind::Integer, depth);
                        self.write("; ");
                    }
                }
                self.write(&format!("{again} ({counter} - 1)"));
                for name in others {
                    self.write(" ");
                    if self.choose(2) == 0 {
                        self.write(&name)
                    } else {
                        self.expression(Kind::Integer, depth)
                    }
                }
                self.write(&end);
            }
            // A partial application.
            2 if arity < 3 => {
                self.expression(Kind::Function(arity + 1), depth);
                self.write(" ");
                self.expression(Kind::Integer, depth);
            }
            _ => {
                for _ in 0..arity {
                    let name = self.fresh();
                    self.write(&format!("fn {name} => "));
                    self.names.push((name, Kind::Integer));
                }
                self.expression(Kind::Integer, depth);
            }
        }
        self.names.truncate(outer);
    }
}
