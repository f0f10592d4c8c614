//! Debug adapter: moves through a match forwards and backwards.
//!
//! [`Adapter`] is a debug adapter without its process: it takes and returns messages. It speaks the debug adapter
//! protocol (DAP) over the framing of the language server. It launches a match or opens it from a recording, and plays
//! it to its end first. [`grandstand_insight`] then answers all questions from the played match, so going back costs as
//! much as going forward.
//!
//! - `wire`: messages; `launch`: match to debug;
//! - `sources`: files of the programs; `breakpoints`: breakpoints in these files;
//! - `session`: position in the match; `moving`: resume and steps; `looking`: requests about a stopped match.
//!
//! Every bot is a thread of the protocol, with the bot's number. Between two requests the match is stopped at the end
//! of a cycle. The bot of the stop may have passed some further operations that take no time.

mod breakpoints;
mod launch;
mod looking;
mod moving;
mod session;
mod sources;
mod values;
mod wire;

use grandstand_insight::{Direction, Insight};
use serde::Deserialize;
use serde_json::{Value, json};

pub use self::launch::{Launch, Matches};
use self::session::Session;
use self::wire::{Out, Request};
use crate::service::Service;

/// Number of cycles to play before the next message.
const SLICE: u64 = 50_000;

/// Debug adapter without its process.
#[derive(Debug)]
pub struct Adapter<M> {
    matches: M,
    out: Out,
    client: Client,
    phase: Phase,
    /// Exit status, after `disconnect` or `terminate`.
    exit: Option<u8>,
}

/// First numbers of lines and columns in the editor.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Client {
    lines_start_at1: bool,
    columns_start_at1: bool,
}

impl Default for Client {
    fn default() -> Self {
        Self { lines_start_at1: true, columns_start_at1: true }
    }
}

#[derive(Debug)]
enum Phase {
    /// Before `initialize`.
    New,
    /// Before `launch`.
    Initialized,
    /// The match is being played. The request with this number is answered at its end.
    Opening { seq: i64, command: String, launch: Box<Launch>, insight: Box<Insight> },
    /// The match is played to its end.
    Open(Box<Session>),
}

impl<M: Matches> Adapter<M> {
    /// Creates an adapter before `initialize`.
    pub fn new(matches: M) -> Self {
        let client = Client::default();
        Self { matches, out: Out::default(), client, phase: Phase::New, exit: None }
    }
}

impl<M: Matches> Service for Adapter<M> {
    fn receive(&mut self, body: &[u8]) {
        match wire::parse(body) {
            Ok(Some(Request { seq, command, arguments })) => {
                match self.request(seq, &command, arguments) {
                    Ok(Some(body)) => self.out.answer(seq, &command, Ok(body)),
                    // The answer follows later, or was sent already.
                    Ok(None) => {}
                    Err(problem) => self.out.answer(seq, &command, Err(problem)),
                }
            }
            Ok(None) => {}
            Err(problem) => self.out.say("important", &format!("a message was not understood: {problem}")),
        }
    }

    fn left_out(&mut self, bytes: usize) {
        self.out.say("important", &format!("a message of {bytes} bytes was left out: it is too long"));
    }

    fn is_busy(&self) -> bool {
        match &self.phase {
            Phase::New | Phase::Initialized => false,
            Phase::Opening { .. } => true,
            Phase::Open(session) => session.is_moving(),
        }
    }

    fn work(&mut self) -> Vec<String> {
        if self.exit.is_none() {
            self.play_on();
            if let Phase::Open(session) = &mut self.phase {
                session.go_on(&mut self.out);
            }
        }
        self.out.take()
    }

    fn exit_status(&self) -> Option<u8> {
        self.exit
    }
}

impl<M: Matches> Adapter<M> {
    /// Continues to play the match that is being opened.
    fn play_on(&mut self) {
        let Phase::Opening { insight, .. } = &mut self.phase else { return };
        insight.play_on(SLICE);
        if !insight.is_over() {
            return;
        }
        let Phase::Opening { seq, command, launch, insight } =
            std::mem::replace(&mut self.phase, Phase::Initialized)
        else {
            return;
        };
        let session = Session::new(*insight, &launch, self.client, &self.matches);
        self.out.answer(seq, &command, Ok(json!({})));
        self.out.say("console", &session.played());
        if let Some(difference) = &session.insight.compared().difference {
            self.out.say("important", &difference.to_string());
        }
        self.phase = Phase::Open(Box::new(session));
        self.out.event("initialized", json!({}));
    }

    /// Answers a request; `None` if the answer was sent already or follows later.
    fn request(&mut self, seq: i64, command: &str, arguments: Value) -> Result<Option<Value>, String> {
        match (command, &mut self.phase) {
            ("disconnect" | "terminate", _) => {
                self.exit = Some(0);
                self.out.answer(seq, command, Ok(json!({})));
                self.out.event("terminated", json!({}));
                Ok(None)
            }
            ("initialize", Phase::New) => {
                self.client = wire::read(arguments)?;
                self.phase = Phase::Initialized;
                Ok(Some(capabilities()))
            }
            (_, Phase::New) => Err("`initialize` comes first".to_owned()),
            ("launch" | "attach", Phase::Initialized) => {
                let launch: Launch = wire::read(arguments)?;
                let insight = Box::new(self.matches.open(&launch)?);
                let (command, launch) = (command.to_owned(), Box::new(launch));
                self.phase = Phase::Opening { seq, command, launch, insight };
                Ok(None)
            }
            (_, Phase::Initialized) => Err("no match is open: `launch` comes first".to_owned()),
            (_, Phase::Opening { .. }) => Err("the match is still being played".to_owned()),
            (_, Phase::Open(session)) => {
                let command_seq = (seq, command);
                if let Some(direction) = way(command) {
                    return session.resume(command_seq, direction, arguments, &mut self.out).map(|()| None);
                }
                session.request(command_seq, arguments, &mut self.out)
            }
        }
    }
}

/// Direction of a resume request.
fn way(command: &str) -> Option<Direction> {
    match command {
        "continue" => Some(Direction::Forward),
        "reverseContinue" => Some(Direction::Backward),
        _ => None,
    }
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsEvaluateForHovers": true,
        "supportsExceptionInfoRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsTerminateRequest": true,
        "exceptionBreakpointFilters": [
            { "filter": session::ENDS, "label": "A bot's program ends", "description": "It is stuck, past a limit, or done", "default": true },
            { "filter": session::REMOVALS, "label": "The game takes a bot away", "default": false },
        ],
    })
}
