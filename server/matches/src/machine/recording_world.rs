//! World of a game as the machine sees it: it answers the threads, and records what they do.

use std::sync::Arc;

use grandstand_languages::{self as languages, Answer, Datum, End, LockWait, Span};
use grandstand_rules::Pid;

use super::bot_request::{self, BotRequest, BotRequestKind};
use super::log::{LogEntry, LogEvent};
use super::refused::Refused;
use super::tracer::Tracer;
use super::world::{BotInfo, Departure, GameWorld};
use crate::spec::StampedCommand;

/// World that records events; the machine talks to it.
#[derive(Debug, Clone)]
pub(super) struct RecordingWorld<W: GameWorld> {
    pub(super) world: W,
    /// Teams that are not threads of the machine.
    pub(super) natives: W::Natives,
    /// Bots that these teams have removed, whose threads must still be ended.
    pub(super) killed: Vec<Departure>,
    pub(super) commands: Vec<StampedCommand>,
    pub(super) log: Vec<LogEntry>,
    pub(super) tracer: Option<Box<Tracer>>,
    /// The requests since the last call of `drain_bot_requests`, if they are kept.
    pub(super) kept: Option<bot_request::Encoder>,
    /// The requests of a side that is recorded, and how many of them have been made.
    pub(super) script: Arc<[BotRequest]>,
    pub(super) made: usize,
}

impl<W: GameWorld> RecordingWorld<W> {
    /// Lets the teams that are not threads act as far as is due before (`cycle`, `pid`).
    pub(super) fn run_natives(&mut self, cycle: u64, pid: Pid) {
        let killed = self.world.run_natives(&mut self.natives, cycle, pid);
        self.killed.extend(killed);
        self.collect(cycle);
        self.run_script(cycle, pid);
    }

    /// The cycle of the next request of a recorded side after `now`.
    pub(super) fn next_scripted(&self, now: u64) -> u64 {
        let next = self.script.get(self.made).map_or(u64::MAX, |asked| asked.cycle);
        next.max(now + 1)
    }

    /// Performs the requests of a recorded side that come before (`cycle`, `pid`).
    pub(super) fn run_script(&mut self, cycle: u64, pid: Pid) {
        let script = self.script.clone();
        while let Some(asked) = script.get(self.made).filter(|asked| (asked.cycle, asked.pid) < (cycle, pid))
        {
            self.made += 1;
            match &asked.what {
                BotRequestKind::Do(request) => {
                    self.world.request(asked.cycle, asked.pid, request);
                }
                BotRequestKind::Spawned(child) => {
                    // A refusal is a difference from the recording, which later commands show.
                    let _ = self.world.spawn(asked.cycle, asked.pid, *child);
                }
                BotRequestKind::Ended => {
                    if let Some(departure) = self.world.ended(asked.cycle, asked.pid) {
                        let departure = Departure { how: "left: its program ended".to_owned(), ..departure };
                        self.removed(departure);
                    }
                }
            }
            self.collect(asked.cycle);
        }
    }

    /// Keeps a request of a thread, if requests are kept and the match goes on.
    fn keep(&mut self, cycle: u64, pid: languages::Pid, what: BotRequestKind<&Datum>) {
        if self.world.ending().is_none()
            && let Some(kept) = &mut self.kept
        {
            kept.push(cycle, to_rules(pid), what);
        }
    }

    /// Takes the commands that the world has drawn in `cycle`.
    pub(super) fn collect(&mut self, cycle: u64) {
        self.commands.extend(self.world.drain_commands(cycle));
    }

    /// Logs a bot that the world removed; returns its thread.
    pub(super) fn removed(&mut self, departure: Departure) -> languages::Pid {
        let (pid, team) = (to_languages(departure.bot.pid), W::SIDES[departure.bot.side].name);
        if let Some(tracer) = &mut self.tracer {
            tracer.removed(departure.bot.pid);
        }
        self.log.push(LogEntry::new(team, departure.bot, LogEvent::Removed(departure.how)));
        pid
    }

    /// The bot of a thread that is about to act, if the match is traced and not over.
    fn traced(&self, cycle: u64, pid: Pid) -> Option<BotInfo> {
        self.tracer.as_ref()?;
        self.world.bot(cycle, pid).filter(|_| self.world.ending().is_none())
    }

    /// Records waits and results of moves at the end of a cycle.
    pub(super) fn trace_end_of_cycle(&mut self, cycle: u64, waits: &[LockWait]) {
        let reports = self.world.drain_moves();
        let Some(tracer) = &mut self.tracer else { return };
        let begun = tracer.look_at(cycle, waits);
        let mut moved = Vec::new();
        for report in reports {
            let (cycle, when, side) = (report.cycle, report.when.clone(), report.side);
            for (bots, event) in tracer.moved(report, waits) {
                moved.push((cycle, when.clone(), side, bots, event));
            }
        }
        if !tracer.tells_actions() {
            return;
        }
        for (cycle, when, side, bots, event) in moved {
            let Some(bot) = bots.first().and_then(|&pid| self.world.bot(cycle, pid)) else { continue };
            let team = W::SIDES[side].name;
            let who = match &bots[..] {
                [_] => bot.who.clone(),
                several => {
                    let several: Vec<String> = several.iter().map(ToString::to_string).collect();
                    format!("{team} {}s {}", W::BOT, several.join(", "))
                }
            };
            self.log.push(LogEntry { bots, ..LogEntry::new(team, BotInfo { when, who, ..bot }, event) });
        }
        for wait in begun {
            self.note(cycle, wait.pid, LogEvent::Waits(wait));
        }
    }

    /// Logs an event of a bot that is on the board.
    pub(super) fn note(&mut self, cycle: u64, pid: languages::Pid, event: LogEvent) {
        if let Some(bot) = self.world.bot(cycle, to_rules(pid)) {
            self.log.push(LogEntry::new(W::SIDES[bot.side].name, bot, event));
        }
    }
}

impl<W: GameWorld> languages::World for RecordingWorld<W> {
    fn acts_at(&mut self, _: languages::Pid, place: impl FnOnce() -> Span) {
        if let Some(tracer) = &mut self.tracer {
            tracer.acts_at(place());
        }
    }

    fn act(&mut self, cycle: u64, pid: languages::Pid, request: &Datum) -> Answer {
        self.run_natives(cycle, to_rules(pid));
        if self.kept.is_some() && W::changes(request) {
            self.keep(cycle, pid, BotRequestKind::Do(request));
        }
        let bot = self.traced(cycle, to_rules(pid));
        let answer = self.world.request(cycle, to_rules(pid), request);
        if let (Some(tracer), Some(bot)) = (&mut self.tracer, bot) {
            let acting = (cycle, bot.pid, bot.side);
            let events = tracer.acted::<W>(acting, request, &answer, self.world.refused());
            let entry = |event| LogEntry::new(W::SIDES[bot.side].name, bot.clone(), event);
            self.log.extend(events.into_iter().map(entry));
        }
        let drawn = self.commands.len();
        self.collect(cycle);
        let said = self.commands[drawn..].iter().find_map(|stamped| W::said(&stamped.command));
        if let Some(text) = said.map(str::to_owned) {
            self.note(cycle, pid, LogEvent::Said(text));
        }
        answer
    }

    fn spawn(&mut self, cycle: u64, parent: languages::Pid, child: languages::Pid) -> bool {
        self.run_natives(cycle, to_rules(parent));
        let bot = self.traced(cycle, to_rules(parent));
        let spawned = self.world.spawn(cycle, to_rules(parent), to_rules(child));
        if spawned.is_ok() {
            self.keep(cycle, parent, BotRequestKind::Spawned(to_rules(child)));
        }
        if let (Some(tracer), Some(bot)) = (&mut self.tracer, bot) {
            let refused = spawned.as_ref().err().map(Refused::from);
            let event = tracer.spawned((cycle, bot.pid, bot.side), to_rules(child), refused);
            self.log.extend(event.map(|event| LogEntry::new(W::SIDES[bot.side].name, bot, event)));
        }
        self.collect(cycle);
        spawned.is_ok()
    }

    fn ended(&mut self, cycle: u64, pid: languages::Pid, end: &End) {
        self.run_natives(cycle, to_rules(pid));
        self.keep(cycle, pid, BotRequestKind::Ended);
        let Some(departure) = self.world.ended(cycle, to_rules(pid)) else { return };
        self.collect(cycle);
        let (side, bot) = (departure.bot.side, departure.bot.pid);
        if let Some(tracer) = &mut self.tracer {
            tracer.ended(cycle, bot, side, end);
        }
        let team = W::SIDES[side].name;
        let entry = LogEntry::new(team, departure.bot, LogEvent::Ended(end.clone()));
        let marker = entry.marker(W::BOT);
        self.commands.extend(marker.map(|marker| StampedCommand { tick: cycle, command: marker.into() }));
        self.log.push(entry);
    }

    fn deadlocked(&mut self, cycle: u64, circle: &[LockWait]) {
        if self.world.ending().is_none()
            && let Some(first) = circle.first()
        {
            self.note(cycle, first.pid, LogEvent::Deadlocked(circle.to_vec()));
        }
    }

    fn take_killed(&mut self) -> Vec<languages::Pid> {
        let mut killed = std::mem::take(&mut self.killed);
        killed.extend(self.world.drain_killed());
        killed.into_iter().map(|departure| self.removed(departure)).collect()
    }
}

pub(super) fn to_rules(pid: languages::Pid) -> Pid {
    Pid(pid.0)
}

pub(super) fn to_languages(pid: Pid) -> languages::Pid {
    languages::Pid(pid.0)
}
