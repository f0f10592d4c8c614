//! Selection of a program's operations by kind or location, for watchers.

use crate::compile::code::Op;
use crate::program::Program;
use crate::source::{Location, SourceFile};

/// A selection of operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operations {
    /// Every operation.
    All,
    /// `do`.
    Actions,
    /// `:=`.
    Writes,
    /// `acquire` and `release`.
    Locks,
    /// The first operation on a line, in each function with operations there.
    Line(Line),
}

/// A line of a program's files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The file's path as in the program's includes, or its last components.
    pub file: String,
    /// The number of the line, from 1.
    pub line: u32,
}

impl Line {
    /// Whether this is a line of the given file.
    fn is_in(&self, file: &SourceFile) -> bool {
        let rest = file.name.strip_suffix(self.file.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    }
}

impl Program {
    /// For each operation in order, whether it is selected.
    pub fn operations(&self, meant: &Operations) -> Vec<bool> {
        let ops = &self.code().ops;
        match meant {
            Operations::All => vec![true; ops.len()],
            Operations::Actions => ops.iter().map(|op| matches!(op, Op::Do { .. })).collect(),
            Operations::Writes => ops.iter().map(|op| matches!(op, Op::Assign { .. })).collect(),
            Operations::Locks => {
                ops.iter().map(|op| matches!(op, Op::Acquire { .. } | Op::Release { .. })).collect()
            }
            Operations::Line(line) => self.first_on(line),
        }
    }

    fn first_on(&self, line: &Line) -> Vec<bool> {
        let files = self.sources().files();
        let is_meant: Vec<bool> = files.iter().map(|file| line.is_in(file)).collect();
        let lines = self.lines();
        let mut meant = vec![false; lines.len()];
        let entries = self.code().protos.iter().map(|proto| proto.entry as usize);
        let ends = entries.clone().skip(1).chain([lines.len()]);
        for (from, to) in entries.zip(ends) {
            let is_on = |&at: &usize| {
                let (file, number) = lines[at];
                number == line.line && is_meant.get(file as usize) == Some(&true)
            };
            if let Some(first) = (from..to).find(is_on) {
                meant[first] = true;
            }
        }
        meant
    }

    /// The file, as an index into the sources, and the line of each operation.
    pub fn lines(&self) -> Vec<(u32, u32)> {
        let begins: Vec<Vec<usize>> =
            self.sources().files().iter().map(|file| line_begins(&file.text)).collect();
        let (code, module) = (self.code(), self.module());
        let line = |detail: &crate::compile::code::Detail| {
            let span = module.span(detail.exprs[0]);
            let begins = begins.get(span.file as usize).map_or(&[][..], Vec::as_slice);
            (span.file, begins.partition_point(|&begin| begin <= span.start as usize) as u32)
        };
        code.details.iter().map(line).collect()
    }

    /// The name of the function that an operation belongs to, if it has one.
    pub fn function_of(&self, operation: u32) -> Option<&str> {
        self.code().function(operation)
    }

    /// The location of an operation, given by its index.
    pub fn place_of(&self, operation: u32) -> Option<Location> {
        let detail = self.code().details.get(operation as usize)?;
        Some(self.sources().place(self.module().span(detail.exprs[0])))
    }
}

/// The offsets of the lines of a text.
fn line_begins(text: &str) -> Vec<usize> {
    let after = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
    [0].into_iter().chain(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemoryFiles, cl};

    #[test]
    fn a_line_is_reached_by_one_operation_in_each_function() {
        let files = MemoryFiles::new()
            .with("lib/a.ch", "let one = fn n =>\n  n + 1 in")
            .with("main.cl", "#include lib/a.ch\nlet f = fn x =>\n  one x + one (x * 2) in\nf (one\n  3)");
        let program = cl::load("main.cl", &files).unwrap();
        let count = |file: &str, line| {
            let line = Line { file: file.to_owned(), line };
            program.operations(&Operations::Line(line)).into_iter().filter(|&meant| meant).count()
        };
        assert_eq!((count("main.cl", 3), count("lib/a.ch", 2), count("a.ch", 2)), (1, 1, 1));
        assert_eq!((count("main.cl", 2), count(".ch", 2), count("b.ch", 2)), (0, 0, 0));
        for (index, (_, line)) in program.lines().into_iter().enumerate() {
            assert_eq!(program.place_of(index as u32).unwrap().line, line);
        }
    }
}
