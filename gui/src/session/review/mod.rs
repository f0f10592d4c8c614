//! Review of a match by an engine, on demand: what each move gave up, and the move that lost.
//!
//! The engine works in a thread of its own; what it finds comes through a channel and is taken in at the beginning of a frame.

#[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
mod native;

use grandstand_protocol::Place;
use grandstand_story::format::{capitalised, in_plain_words};
use grandstand_story::games::sides;
use grandstand_story::judgements::Judgement;

#[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
use self::native::Link;
use super::Session;
use crate::source::Wake;

/// Whether this build has an engine.
const IS_THERE: bool = cfg!(all(feature = "analysis", not(target_arch = "wasm32")));

/// State of a review.
#[cfg_attr(
    not(all(feature = "analysis", not(target_arch = "wasm32"))),
    allow(dead_code, reason = "a build without an engine makes none")
)]
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum ReviewState {
    /// Nobody asked for one.
    #[default]
    Off,
    /// The engine searches: the number of searched positions, and of all.
    Running(usize, usize),
    /// It is over or was stopped.
    Over {
        /// Which move lost, and why.
        words: String,
        /// The engine's judgement of that move.
        subject: Option<Judgement>,
        /// The command of the move that the words name in its place: after it the win was forced.
        forced: Option<u64>,
        /// Whether all positions were searched.
        complete: bool,
    },
    /// It can't be made, for this reason.
    Failed(String),
}

/// What the engine tells.
#[cfg_attr(
    not(all(feature = "analysis", not(target_arch = "wasm32"))),
    allow(dead_code, reason = "a build without an engine makes none")
)]
#[derive(Debug)]
enum Update {
    /// Judged moves that are new or judged anew, and the number of searched positions, and of all.
    Judged(Vec<Judgement>, (usize, usize)),
    Over(ReviewState),
}

/// The review of a session's match.
#[derive(Debug, Default)]
pub(crate) struct Review {
    state: ReviewState,
    #[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
    link: Option<Link>,
}

impl Review {
    /// The state.
    pub(crate) fn state(&self) -> &ReviewState {
        &self.state
    }

    /// Whether all moves are judged.
    pub(crate) fn is_complete(&self) -> bool {
        matches!(self.state, ReviewState::Over { complete: true, .. })
    }

    /// Whether one has begun.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.state != ReviewState::Off
    }

    fn next(&self) -> Option<Update> {
        #[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
        return self.link.as_ref()?.next();
        #[cfg(not(all(feature = "analysis", not(target_arch = "wasm32"))))]
        None
    }
}

impl Session {
    /// Whether an engine can review the match: one of Gomoku, Pente or Riskless, of which everything has come.
    pub(crate) fn can_be_reviewed(&self) -> bool {
        IS_THERE && self.goes_by_moves() && self.is_whole() && !self.hides_future()
    }

    /// Begins a review, or stops the one under way.
    pub(crate) fn toggle_review(&mut self, wake: Wake) {
        if let ReviewState::Running(..) = self.review.state {
            return self.stop_review();
        }
        if self.can_be_reviewed() {
            self.begin_review(wake);
        }
    }

    #[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
    fn stop_review(&mut self) {
        if let Some(link) = &self.review.link {
            link.stop();
        }
    }

    #[cfg(not(all(feature = "analysis", not(target_arch = "wasm32"))))]
    fn stop_review(&mut self) {}

    #[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
    fn begin_review(&mut self, wake: Wake) {
        let Some(header) = self.header() else { return };
        self.review.link = Link::open(header.clone(), self.whole_log().clone(), wake);
        self.review.state = match self.review.link {
            Some(_) => ReviewState::Running(0, 0),
            None => ReviewState::Failed("This system gives no thread for the engine.".to_owned()),
        };
    }

    #[cfg(not(all(feature = "analysis", not(target_arch = "wasm32"))))]
    fn begin_review(&mut self, wake: Wake) {
        drop(wake);
    }

    /// The place of the better move, where the shown move is a mistake.
    pub(crate) fn better_place(&self) -> Option<Place> {
        let findings = self.events.findings();
        let made = &findings.moves.list()[findings.moves.at(self.seq())?];
        let judged = findings.judgements.of(made.seq).filter(|judged| judged.is_mistake());
        let first = judged?.better.first()?;
        Place::parse(self.scene().game(), first).filter(|_| !self.is_spoiler_free())
    }

    /// A text with the players' names in place of teams that have names of their own, as in Riskless; a colour stays.
    fn with_names(&self, text: &str) -> String {
        let sides = sides(self.scene(), &self.about.teams);
        let named = sides.iter().filter(|side| side.key != side.word());
        named.fold(text.to_owned(), |text, side| {
            text.replace(&side.key, &side.name).replace(&capitalised(&side.key), &side.name)
        })
    }

    /// Takes in what the engine has found.
    pub(crate) fn update_review(&mut self) {
        while let Some(update) = self.review.next() {
            match update {
                Update::Judged(mut judged, (done, all)) => {
                    judged.iter_mut().for_each(|judgement| judgement.why = self.with_names(&judgement.why));
                    self.events.judge(judged);
                    self.review.state = ReviewState::Running(done, all);
                }
                Update::Over(mut state) => {
                    if let ReviewState::Over { complete: true, .. } = state {
                        self.events.take_judged_evaluations();
                        self.view.is_judged = true;
                    }
                    if let ReviewState::Over { words, subject, .. } = &mut state {
                        *words = in_plain_words(&self.with_names(words));
                        if let Some(subject) = subject {
                            subject.why = self.with_names(&subject.why);
                        }
                    }
                    self.review.state = state;
                }
            }
        }
    }
}
