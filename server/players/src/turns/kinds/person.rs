//! Player at a terminal.

use std::time::Instant;

use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_matches::turns::outcome::clock_text;
use grandstand_rules::turn::{Drawn, Side};

use super::console::{Console, Line};
use crate::turns::player::{MatchOver, Player, Preparation, Turn};
use crate::turns::player_factory::{PlayerFactory, PlayerKind, SeatedGame, View, no_options};

/// A person at a terminal, who sees the board and both clocks, and types moves.
#[derive(Debug)]
pub struct Person<P: Drawn> {
    console: Console,
    view: View<P>,
    /// Whether moves have a time limit of their own.
    limited: bool,
}

impl<P: Drawn> Person<P> {
    /// The kind `person`, at the terminal of this process.
    pub const fn kind<G: SeatedGame<Position = P>>() -> PlayerKind<P> {
        PlayerKind {
            name: "person",
            usage: "person",
            create: |options| {
                no_options(options)?;
                Ok(PlayerFactory::new("person", || Self::new(Console::terminal(), G::VIEW)).at_terminal())
            },
        }
    }

    /// A person at this console.
    pub fn new(console: Console, view: View<P>) -> Self {
        Self { console, view, limited: false }
    }

    /// Shows the board and the clocks.
    fn show(&self, turn: &Turn<'_, P>) {
        let board = self.board(turn.position, turn.moves, turn.side);
        self.console.write(&(board + &self.clocks(turn)));
    }

    /// The board and the last move.
    fn board(&self, position: &P, moves: &[P::Move], side: Side) -> String {
        let last = moves.last().copied();
        let mut text = format!("\n{}", (self.view.board)(position, side, last));
        if let Some(last) = last {
            let mover = P::team_name(position.to_move().opponent());
            text += &format!("move {}: {mover} played {}\n", moves.len(), position.move_text(last));
        }
        text
    }

    fn clocks(&self, turn: &Turn<'_, P>) -> String {
        let clock = |side: Side| {
            let left = turn.left[side.index()]?;
            let gone = if side == turn.side { turn.began.elapsed() } else { std::time::Duration::ZERO };
            let millis = left.as_millis() as i64 - gone.as_millis() as i64;
            Some(format!("{} {}", P::team_name(side), clock_text(millis)))
        };
        let mut clocks: Vec<String> = Side::ALL.into_iter().filter_map(clock).collect();
        if self.limited
            && let Some(deadline) = turn.deadline
        {
            let left = deadline.saturating_duration_since(Instant::now()).as_millis() as i64;
            clocks.push(format!("this move {}", clock_text(left)));
        }
        if clocks.is_empty() { String::new() } else { format!("clocks: {}\n", clocks.join(", ")) }
    }

    fn help(&self, turn: &Turn<'_, P>, asked: Option<OpeningQuestion>) {
        let [own, other] = [turn.side, turn.side.opponent()].map(P::team_name);
        let answers = match asked {
            None => "",
            Some(OpeningQuestion::Place) => {
                "Three stones are placed in one line, with blanks between them; then the other player chooses a colour, or places two more.\n"
            }
            Some(OpeningQuestion::Answer | OpeningQuestion::Choose) => &format!(
                "`stay` keeps {own}, `swap` takes {other} and leaves {own} to the other player; then white moves.\n"
            ),
        };
        self.console.write(&format!(
            "You play {own}. A move is {}.\n{answers}`board` shows the board and the clocks again, `moves` all moves so far, \
             `say TEXT` tells everybody something, `resign` gives up, `quit` leaves the match, which loses it too.\n",
            self.view.moves
        ));
    }

    /// Asks until `read` accepts a typed line.
    fn ask(
        &self,
        turn: &Turn<'_, P>,
        asked: Option<OpeningQuestion>,
        prompt: &str,
        read: impl Fn(&str) -> Result<Answer<P::Move>, String>,
    ) -> Result<Answer<P::Move>, Forfeit> {
        self.show(turn);
        loop {
            self.console.write(&format!("{prompt}> "));
            let (at, line) = match self.console.next(turn.deadline, turn.stop) {
                Line::Typed(at, line) => (at, line),
                Line::Ended => return Err(Forfeit::new(Forfeit::LEFT, "nobody types any more")),
                missed @ (Line::Late | Line::Stopped) => {
                    let late = missed == Line::Late;
                    self.console.write(if late { "\nToo late: time is over.\n" } else { "\n" });
                    return Err(Forfeit::new(Forfeit::TIME, "no move was typed in time"));
                }
            };
            match line.as_str() {
                "" => {}
                "help" | "?" => self.help(turn, asked),
                "board" => self.show(turn),
                "moves" => {
                    let moves = turn.moves.iter().map(|&mv| turn.position.move_text(mv));
                    self.console.write(&format!("{}\n", moves.collect::<Vec<_>>().join(" ")));
                }
                "resign" => {
                    turn.answered_at(at);
                    return Ok(Answer::Resign);
                }
                "quit" => return Err(Forfeit::new(Forfeit::LEFT, "it quit")),
                line => match line.strip_prefix("say ") {
                    Some(text) => turn.reports.say(text),
                    None => match read(line) {
                        Ok(answer) => {
                            turn.answered_at(at);
                            return Ok(answer);
                        }
                        Err(why) => self.console.write(&format!("{why} (`help` tells what may be typed)\n")),
                    },
                },
            }
        }
    }
}

impl<P: Drawn> Player<P> for Person<P> {
    fn prepare(&mut self, game: &Preparation<P>) -> Result<(), Forfeit> {
        let clocks = game.time;
        self.limited = clocks.move_millis.is_some();
        self.console.write(&format!("You play {}; time: {clocks}.\n", P::team_name(game.side)));
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, P>) -> Result<Answer<P::Move>, Forfeit> {
        self.ask(turn, None, &format!("your move, {}", P::team_name(turn.side)), |line| {
            let mv = turn.position.parse_move(line).map_err(|error| error.to_string())?;
            turn.position.check(mv).map_err(|illegal| illegal.to_string())?;
            Ok(Answer::Move(mv))
        })
    }

    fn over(&mut self, end: &MatchOver<P>) {
        let board = self.board(&end.position, &end.moves, end.side);
        let result = match end.winner {
            Some(side) if side == end.side => "You have won".to_owned(),
            Some(side) => format!("{} has won", P::team_name(side)),
            None => "A draw".to_owned(),
        };
        self.console.write(&format!("{board}{result}: {}.\n", end.why()));
    }

    fn answer_opening(
        &mut self,
        asked: OpeningQuestion,
        turn: &Turn<'_, P>,
    ) -> Result<Answer<P::Move>, Forfeit> {
        let (own, other) = (P::team_name(turn.side), P::team_name(turn.side.opponent()));
        let prompt = match asked {
            OpeningQuestion::Place => "place three stones, black, white, black".to_owned(),
            OpeningQuestion::Answer => {
                format!("`stay` {own}, `swap` to {other}, or place two stones, white and black")
            }
            OpeningQuestion::Choose => format!("`stay` {own} or `swap` to {other}"),
        };
        self.ask(turn, Some(asked), &prompt, |line| read_opening_answer(asked, turn.position, line))
    }
}

/// Parses an answer to a question of an opening.
pub(super) fn read_opening_answer<P: Drawn>(
    asked: OpeningQuestion,
    position: &P,
    line: &str,
) -> Result<Answer<P::Move>, String> {
    match line {
        "stay" | "swap" if asked == OpeningQuestion::Place => Err("three stones come first".to_owned()),
        "stay" => Ok(Answer::Stay),
        "swap" => Ok(Answer::Swap),
        _ => {
            let count = asked.stones().ok_or("expected `stay` or `swap`")?;
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.len() != count {
                return Err(format!("{} points; expected {count}, with blanks between them", words.len()));
            }
            let mut after = position.clone();
            let mut stones = Vec::new();
            for word in words {
                let stone = after.parse_move(word).map_err(|error| error.to_string())?;
                after = after.play(stone).map_err(|refused| refused.to_string())?;
                stones.push(stone);
            }
            Ok(Answer::Place(stones))
        }
    }
}
