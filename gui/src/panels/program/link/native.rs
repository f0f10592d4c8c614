//! The machine in a thread of its own.

use std::sync::mpsc::{Receiver, RecvError, SendError, Sender, TryRecvError, channel};

use grandstand_insight::{Desk, Insight};

use super::Recording;
use crate::source::Wake;

/// The panel's end of the thread, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Link {
    questions: Sender<String>,
    answers: Receiver<String>,
}

impl Link {
    /// Opens a recording in a new thread; `None` when the system has none left.
    pub(crate) fn open(recording: Recording, wake: Wake) -> Option<Link> {
        let (questions, asked) = channel();
        let (told, answers) = channel();
        let work = move || {
            // Without the panel there is nobody to tell.
            let _ = run(&recording, &asked, &told, &wake);
        };
        std::thread::Builder::new().name("program".to_owned()).spawn(work).ok()?;
        Some(Link { questions, answers })
    }

    /// Sends a question.
    pub(crate) fn ask(&self, question: String) {
        // A thread that has ended answers nothing, which the panel says.
        let _ = self.questions.send(question);
    }

    /// The next answer that has come.
    pub(crate) fn next(&self) -> Option<String> {
        self.answers.try_recv().ok()
    }
}

/// Works until the panel is gone.
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

/// The panel is gone.
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
