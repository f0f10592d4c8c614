//! Profiles: reductions of a match by call stacks.

use grandstand_insight::{Moment, Profile};
use grandstand_protocol::Game;

use crate::support::{abalone, played, shipped_bot};

#[test]
fn every_reduction_of_a_bot_is_in_one_stack() {
    let team = |name| shipped_bot(Game::Abalone, name);
    let mut insight = played(&abalone(7, 30_000, [team("team"), team("simple_bot")]));
    let profile = Profile::new(&mut insight);
    let end = insight.ending().unwrap().tick;
    let mut compared = 0;
    for bot in &profile.bots {
        // Reductions of an operation under way are not counted yet.
        let Ok(view) = insight.at(Moment::end_of(end), bot.bot) else { continue };
        let told: u64 = bot.stacks.iter().map(|(_, count)| count).sum();
        assert!(view.thread.steps.abs_diff(told) < 20, "bot {}: {} and {told}", bot.bot, view.thread.steps);
        assert_eq!(bot.side, view.side);
        compared += 1;
    }
    assert!(compared > 10, "{compared} bots");
    let meets = profile.frames.iter().any(|frame| frame.function.as_deref() == Some("push"));
    assert!(meets, "{:?}", profile.frames);
}
