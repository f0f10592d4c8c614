//! A review as JSON: `server/INSIGHT.md` describes the fields.

use serde_json::{Value, json};

use super::{MoveReview, Review};

pub(super) fn review(review: &Review) -> Value {
    let player = |side: usize| json!({ "team": review.players[side].0, "player": review.players[side].1 });
    let (done, all) = review.progress;
    json!({
        "game": review.game,
        "winner": review.winner.map(|side| &review.players[side].0),
        "termination": review.termination,
        "sides": [player(0), player(1)],
        "length": review.length,
        "nodes": review.nodes,
        "positions": { "searched": done, "all": all },
        "summary": review.headline(),
        "decisive": review.decisive().map(|made| made.number),
        "remarks": review.remarks,
        "moves": review.moves.iter().map(|made| of_move(review, made)).collect::<Vec<_>>(),
    })
}

fn of_move(review: &Review, made: &MoveReview) -> Value {
    json!({
        "number": made.number,
        "seq": made.seq,
        "team": review.players[made.side].0,
        "move": made.text,
        "before": made.before,
        "after": made.after,
        "chance": made.chances.map(|chance| (chance * 1_000.0).round() / 1_000.0),
        "grade": made.grade.map(|grade| grade.mark()),
        "better": made.better,
        "reply": made.reply,
        "cause": made.cause.as_ref().map(|cause| cause.kind.name()),
        "why": made.cause.as_ref().map(|cause| &cause.text),
        "depth": made.depth,
    })
}
