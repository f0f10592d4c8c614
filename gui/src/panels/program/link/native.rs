//! The machine on a thread of its own.

use std::sync::mpsc::{Receiver, RecvError, SendError, Sender, TryRecvError, channel};

use grandstand_insight::{Insight, InsightService};
use grandstand_replays::Log;

use super::{LinkMessage, Recording};
use crate::source::{Wake, fetch_recording};

/// The panel's end of the channel. The thread ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Link {
    questions: Sender<String>,
    answers: Receiver<LinkMessage>,
    /// Whether the end of the thread has been told.
    ended: bool,
}

impl Link {
    /// Opens a recording on a new thread.
    ///
    /// # Errors
    /// The reason in words, if no thread can be started.
    pub(crate) fn open(recording: Recording, wake: Wake) -> Result<Link, String> {
        let (questions, asked) = channel();
        let (told, answers) = channel();
        let work = move || {
            // The error says that the panel is gone; nobody is left to be told.
            let _ = run(&recording, &asked, &told, &wake);
            // The panel looks once more, and sees the end of a thread that it did not end.
            drop(told);
            wake();
        };
        let thread = std::thread::Builder::new().name("program".to_owned()).spawn(work);
        thread.map_err(|error| format!("The system gives no thread to play the match in: {error}."))?;
        Ok(Link { questions, answers, ended: false })
    }

    /// Sends a question.
    pub(crate) fn ask(&self, question: String) {
        // If the thread has ended, `next` reports it.
        let _ = self.questions.send(question);
    }

    /// The next message that has come.
    pub(crate) fn next(&mut self) -> Option<LinkMessage> {
        match self.answers.try_recv() {
            Ok(told) => Some(told),
            Err(TryRecvError::Disconnected) if !self.ended => {
                self.ended = true;
                let words = "The machine that plays the match again stopped by a fault of its own.";
                Some(LinkMessage::Broken(words.to_owned()))
            }
            Err(_) => None,
        }
    }
}

/// Answers questions until the panel is gone.
fn run(
    recording: &Recording,
    asked: &Receiver<String>,
    told: &Sender<LinkMessage>,
    wake: &Wake,
) -> Result<(), Gone> {
    let insight = match recording {
        Recording::Read { header, log, asked, whole } => {
            Insight::of_log(header, Log::clone(log), *whole, asked)
        }
        Recording::Fetched { url, token } => match fetch_recording(url, token.as_deref()) {
            Ok(replay) => Insight::of_replay(&replay),
            Err(words) => {
                told.send(LinkMessage::Broken(words))?;
                wake();
                return Ok(());
            }
        },
    };
    let mut desk = InsightService::new(insight);
    loop {
        let question = match desk.is_idle() {
            true => Some(asked.recv()?),
            false => match asked.try_recv() {
                Ok(question) => Some(question),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => return Err(Gone),
            },
        };
        let answers = match question {
            Some(question) => desk.ask(&question).into_iter().collect(),
            None => desk.work(),
        };
        for answer in answers {
            told.send(LinkMessage::Answer(answer))?;
            wake();
        }
    }
}

/// The panel's end of a channel was dropped.
struct Gone;

impl From<RecvError> for Gone {
    fn from(_: RecvError) -> Gone {
        Gone
    }
}

impl From<SendError<LinkMessage>> for Gone {
    fn from(_: SendError<LinkMessage>) -> Gone {
        Gone
    }
}
