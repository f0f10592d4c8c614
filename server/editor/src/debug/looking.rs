//! Requests about a stopped match: threads, calls, names with values, expressions.

use grandstand_insight::BotView;
use grandstand_languages::view::{CellView, State, ViewLimits};
use serde::Deserialize;
use serde_json::{Value, json};

use super::moving::bot_of;
use super::session::Session;
use super::values::Handle;
use super::wire::{self, Out};

/// Number of calls in one answer at most.
const CALLS: usize = 1_000;
/// Number of elements of a value in an answer at most.
const ELEMENTS: usize = 256;
const DEPTH: usize = 8;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StackOf {
    thread_id: i64,
    #[serde(default)]
    start_frame: usize,
    #[serde(default)]
    levels: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ScopesOf {
    frame_id: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct VariablesOf {
    variables_reference: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluate {
    expression: String,
    #[serde(default)]
    frame_id: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LossOf {
    thread_id: i64,
}

fn extent(calls: usize) -> ViewLimits {
    ViewLimits { calls, elements: ELEMENTS, depth: DEPTH }
}

impl Session {
    /// One thread for each living bot.
    pub(super) fn threads(&mut self) -> Value {
        let mut threads = Vec::new();
        for bot in self.living() {
            if let Ok(view) = self.look(bot, ViewLimits { calls: 1, elements: 0, depth: 0 }) {
                let state = short_state(&view.thread.state);
                threads.push(json!({ "id": bot, "name": format!("{}{state}", view.who) }));
            }
        }
        json!({ "threads": threads })
    }

    pub(super) fn stack(&mut self, arguments: Value) -> Result<Value, String> {
        let StackOf { thread_id, start_frame, levels } = wire::read(arguments)?;
        let bot = bot_of(thread_id)?;
        let levels = if levels == 0 { CALLS } else { levels.min(CALLS) };
        let calls = start_frame.saturating_add(levels).min(start_frame.min(1 << 20) + CALLS);
        // The names follow with the scopes of a frame.
        let view = self.look(bot, ViewLimits { calls, elements: 0, depth: 0 })?;
        let mut frames = Vec::new();
        for (depth, call) in view.thread.calls.iter().enumerate().skip(start_frame) {
            let (line, column, end) = self.columns(&call.place);
            frames.push(json!({
                "id": self.handles.number(Handle::Frame { bot, depth }),
                "name": call.function.as_deref().unwrap_or("(no name)"),
                "source": self.sources.source(view.side, &call.place.file),
                "line": line,
                "column": column,
                "endLine": line,
                "endColumn": end,
            }));
        }
        Ok(json!({ "stackFrames": frames, "totalFrames": view.thread.depth }))
    }

    pub(super) fn scopes(&mut self, arguments: Value) -> Result<Value, String> {
        let ScopesOf { frame_id } = wire::read(arguments)?;
        let Some(&Handle::Frame { bot, depth }) = self.handles.get(frame_id) else {
            return Err("there is no such frame any more".to_owned());
        };
        let mut scope = |name: &str, handle: Handle, hint: Option<&str>| {
            let reference = self.handles.number(handle);
            let mut scope = json!({ "name": name, "variablesReference": reference, "expensive": false });
            if let Some(hint) = hint {
                scope["presentationHint"] = hint.into();
            }
            scope
        };
        let mut scopes = vec![scope("Names", Handle::Names { bot, depth, constant: false }, Some("locals"))];
        scopes.push(scope("Bot", Handle::Bot { bot }, None));
        scopes.push(scope("Cells of the team", Handle::Cells { bot }, None));
        scopes.push(scope("Constants", Handle::Names { bot, depth, constant: true }, None));
        Ok(json!({ "scopes": scopes }))
    }

    pub(super) fn variables(&mut self, arguments: Value) -> Result<Value, String> {
        let VariablesOf { variables_reference } = wire::read(arguments)?;
        let handle = self.handles.get(variables_reference).cloned();
        let variables = match handle.ok_or("there are no such names any more")? {
            Handle::Frame { .. } => return Err("a frame is asked for its scopes".to_owned()),
            Handle::Names { bot, depth, constant } => self.names(bot, depth, constant)?,
            Handle::Cells { bot } => {
                let cells = self.look(bot, extent(32))?.cells;
                cells.iter().map(|cell| self.cell(cell)).collect()
            }
            Handle::Bot { bot } => {
                let view = self.look(bot, extent(32))?;
                self.about(&view)
            }
            Handle::List(list) => list.iter().map(|(name, value)| plain(name, value)).collect(),
            Handle::Parts(value) => self.handles.parts(&value),
        };
        Ok(json!({ "variables": variables }))
    }

    fn names(&mut self, bot: u32, depth: usize, constant: bool) -> Result<Vec<Value>, String> {
        let mut view = self.look(bot, extent(depth + 1))?;
        if depth >= view.thread.calls.len() {
            return Ok(Vec::new());
        }
        let names = view.thread.calls.swap_remove(depth).names;
        let of_kind = names.into_iter().filter(|name| name.constant == constant);
        let variable = |name: grandstand_languages::view::NameView| match &name.value {
            Some(value) => {
                let mut variable = self.handles.variable(&name.name, value);
                if depth == 0 {
                    variable["evaluateName"] = name.name.into();
                }
                variable
            }
            None => plain(&name.name, "not kept"),
        };
        Ok(of_kind.map(variable).collect())
    }

    fn cell(&mut self, cell: &CellView) -> Value {
        let name = if cell.names.is_empty() { "(no name)".to_owned() } else { cell.names.join(", ") };
        let mut about = vec![("value".to_owned(), cell.value.to_string())];
        if let Some(holder) = cell.holder {
            about.push(("lock held by".to_owned(), holder.to_string()));
        }
        if !cell.waiting.is_empty() {
            let waiting: Vec<String> = cell.waiting.iter().map(ToString::to_string).collect();
            about.push(("waiting for it".to_owned(), waiting.join(", ")));
        }
        if let Some((write, at)) = &cell.written {
            let text = format!("by {} in cycle {}, at {}:{}", write.pid, write.cycle, at.file, at.line);
            about.push(("written last".to_owned(), text));
        }
        let reference = self.handles.number(Handle::List(about));
        json!({ "name": name, "value": cell.value.to_string(), "type": "cell of the team", "variablesReference": reference })
    }

    /// Other facts about a bot.
    fn about(&mut self, view: &BotView) -> Vec<Value> {
        let mut about = vec![
            plain("who", &view.who),
            plain("when", &view.when),
            plain("what", &self.insight.doing(view)),
            plain("reductions", &view.thread.steps.to_string()),
        ];
        if let Some(action) = view.action() {
            about.push(plain("action", &action.to_string()));
        }
        for lock in &view.thread.locks {
            about.push(plain(
                "holds the lock of",
                &format!("{} since cycle {}, taken at {}", lock.value, lock.since, lock.taken),
            ));
        }
        if !view.past_actions.is_empty() {
            let past_actions = view.past_actions.iter().enumerate();
            let list = past_actions.map(|(at, action)| (format!("{at}"), action.to_string())).collect();
            let reference = self.handles.number(Handle::List(list));
            about.push(json!({ "name": "did last", "value": format!("{} things", view.past_actions.len()), "variablesReference": reference }));
        }
        if let Some(fate) = self.fate(view.bot) {
            about.push(plain("its end", &fate));
        }
        about
    }

    /// Evaluates an expression. In the console, `:turn N` and `:cycle N` go to that turn or cycle.
    pub(super) fn evaluate(
        &mut self,
        (seq, command): (i64, &str),
        arguments: Value,
        out: &mut Out,
    ) -> Result<Option<Value>, String> {
        let Evaluate { expression, frame_id } = wire::read(arguments)?;
        if let Some(order) = expression.trim().strip_prefix(':') {
            let cycle = self.place(order)?;
            self.moving = None;
            out.answer(
                seq,
                command,
                Ok(json!({ "result": format!("cycle {cycle}"), "variablesReference": 0 })),
            );
            self.stand_at(cycle);
            self.stopped("goto", "gone there", None, out);
            return Ok(None);
        }
        let (bot, depth) = match frame_id.map(|frame| self.handles.get(frame)) {
            None => (self.bot, 0),
            Some(Some(&Handle::Frame { bot, depth })) => (bot, depth),
            Some(_) => return Err("there is no such frame any more".to_owned()),
        };
        let value = if depth == 0 {
            let moment = self.moment(bot);
            self.insight.evaluate(moment, bot, &expression, extent(1)).map_err(|error| error.to_string())?
        } else {
            let mut view = self.look(bot, extent(depth + 1))?;
            let call = (depth < view.thread.calls.len()).then(|| view.thread.calls.swap_remove(depth));
            let names = call.into_iter().flat_map(|call| call.names);
            let name = names.into_iter().find(|name| name.name == expression.trim());
            let name = name.ok_or("in a call around the innermost one only names have values")?;
            name.value.ok_or_else(|| {
                format!("`{}` is not kept: the code has no use for it from here on", name.name)
            })?
        };
        let mut body = self.handles.variable("", &value);
        body["result"] = body["value"].take();
        Ok(Some(body))
    }

    /// Cycle of a console command.
    fn place(&self, order: &str) -> Result<u64, String> {
        let expected = || format!("expected `:turn N` or `:cycle N`, and this is `:{order}`");
        let (what, number) = order.trim().split_once(' ').ok_or_else(expected)?;
        let number: u64 = number.trim().parse().ok().ok_or_else(expected)?;
        match what {
            "turn" => Ok(self.end_of_turn(number).min(self.last())),
            "cycle" => Ok(number.min(self.last())),
            _ => Err(expected()),
        }
    }

    /// Returns how the bot of a stop is lost.
    pub(super) fn loss(&mut self, arguments: Value) -> Result<Value, String> {
        let LossOf { thread_id } = wire::read(arguments)?;
        let fate = self.fate(bot_of(thread_id)?).ok_or("this bot is not lost")?;
        Ok(json!({ "exceptionId": "lost", "description": fate, "breakMode": "always" }))
    }
}

fn plain(name: &str, value: &str) -> Value {
    json!({ "name": name, "value": value, "variablesReference": 0 })
}

/// State of a bot, as a suffix of its name.
fn short_state(state: &State) -> String {
    match state {
        State::Runs { .. } => String::new(),
        State::InAction { .. } => " (in an action)".to_owned(),
        State::Waits { .. } => " (waits)".to_owned(),
        State::WaitsForLock { holder, .. } => format!(" (waits for a lock of {holder})"),
    }
}
