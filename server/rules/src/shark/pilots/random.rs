//! Random pilot, an example.

use grandstand_protocol::shark::Heading;

use super::{Pilot, PilotAction, PilotEvent};
use crate::SplitMix64;
use crate::shark::action::{Action, Answer, Object};

/// Moves at random, shoots at opponents that it happens to see, and spawns when it can. It has no plan: it brings a flag
/// home only by accident.
#[derive(Debug, Clone)]
pub struct Random {
    random: SplitMix64,
    /// The current direction.
    heading: Heading,
    next: Plan,
}

#[derive(Debug, Clone, Copy)]
enum Plan {
    /// Spawn more robots.
    Grow,
    /// Turn in a random direction.
    Turn,
    /// Look ahead.
    Look,
    /// Act on the view ahead.
    Go,
}

impl Random {
    /// The pilot with this seed.
    pub fn new(seed: u64) -> Self {
        Self { random: SplitMix64::new(seed), heading: Heading::Up, next: Plan::Grow }
    }
}

impl Pilot for Random {
    fn decide(&mut self, news: &PilotEvent) -> PilotAction {
        match self.next {
            Plan::Grow => {
                self.next = Plan::Turn;
                PilotAction::Spawn(Box::new(Self::new(self.random.next_u64())))
            }
            Plan::Turn => {
                self.next = Plan::Look;
                self.heading = self.random.choose(&Heading::ALL).unwrap_or(Heading::Up);
                PilotAction::Act(Action::Face(self.heading))
            }
            Plan::Look => {
                self.next = Plan::Go;
                PilotAction::Act(Action::Look(self.heading))
            }
            Plan::Go => {
                self.next = if self.random.below(6) == 0 { Plan::Grow } else { Plan::Look };
                match news {
                    PilotEvent::Answer(Answer::Seen {
                        distance,
                        object: Object::Opponent | Object::OpponentWithFlag,
                    }) if *distance > 1 => PilotAction::Act(Action::Shoot),
                    PilotEvent::Answer(Answer::Seen {
                        distance: 1,
                        object: Object::Wall | Object::Teammate,
                    }) => {
                        self.next = Plan::Look;
                        self.heading = self.random.choose(&Heading::ALL).unwrap_or(Heading::Up);
                        PilotAction::Act(Action::Face(self.heading))
                    }
                    _ => PilotAction::Act(Action::Move),
                }
            }
        }
    }
}
