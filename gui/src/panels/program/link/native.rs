//! The machine on a thread of its own.

use std::sync::mpsc::{Receiver, RecvError, SendError, Sender, TryRecvError, channel};

use grandstand_insight::{Desk, Insight};

use super::Recording;
use crate::source::Wake;

/// The panel's end of the channel. The thread ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Link {
    questions: Sender<String>,
    answers: Receiver<String>,
}

impl Link {
    /// Opens a recording on a new thread; `None` if no thread can be started.
    pub(crate) fn open(recording: Recording, wake: Wake) -> Option<Link> {
        let (questions, asked) = channel();
        let (told, answers) = channel();
        let work = move || {
            // The error says that the panel is gone; nobody is left to be told.
            let _ = run(&recording, &asked, &told, &wake);
        };
        std::thread::Builder::new().name("program".to_owned()).spawn(work).ok()?;
        Some(Link { questions, answers })
    }

    /// Sends a question.
    pub(crate) fn ask(&self, question: String) {
        // Without a thread the question stays unanswered.
        let _ = self.questions.send(question);
    }

    /// The next message that has come.
    pub(crate) fn next(&self) -> Option<String> {
        self.answers.try_recv().ok()
    }
}

/// Answers questions until the panel is gone.
fn run(
    recording: &Recording,
    asked: &Receiver<String>,
    told: &Sender<String>,
    wake: &Wake,
) -> Result<(), Gone> {
    let Recording { header, log, whole } = recording;
    let mut desk = Desk::new(Insight::of_log(header, log.clone(), *whole));
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
            told.send(answer)?;
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

impl From<SendError<String>> for Gone {
    fn from(_: SendError<String>) -> Gone {
        Gone
    }
}
