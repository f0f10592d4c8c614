//! Execution of actions, from keys, buttons and menus.

use eframe::egui::{Context, Popup, ViewportCommand};
use grandstand_board::zoom::BoardZoom;
use grandstand_story::story;

use super::App;
use super::fight_camera::FightCamera;
use super::notice::Notice;
use crate::actions::Action;
use crate::layout::PanelPlacement;
use crate::panels::command_log::CommandLog;
use crate::panels::compare::CompareRequest;
use crate::panels::export_dialog::ExportDialog;
use crate::panels::match_list::MatchList;
use crate::panels::seat_bar;
use crate::panels::settings_dialog::ZOOM_STEP;
use crate::panels::share_dialog::ShareDialog;
use crate::panels::side_panel::Tab;
use crate::panels::timeline::{TimelineRequest, idle_text};
use crate::panels::wall::Wall;
use crate::session::Stage;
use crate::settings::ZOOMS;

/// How many times the board is enlarged at least while a unit is followed.
const FOLLOWED: f32 = 2.2;
/// How many times larger one press makes the board.
const BOARD_STEP: f32 = 1.5;
/// Time after which a pointer that stands still points at nothing, in seconds.
const RESTING: f32 = 3.0;

impl App {
    pub(super) fn perform(&mut self, ctx: &Context, action: Action) {
        if !self.is_possible(action) {
            if let Some(words) = self.why_not(action) {
                self.say(ctx, words);
            }
            return;
        }
        match action {
            Action::CopyLink => self.copy_link(ctx),
            Action::Find => self.toggle_command_palette(),
            Action::Escape if self.command_palette.is_some() => self.command_palette = None,
            Action::ToggleHelp => self.help = !self.help,
            Action::Escape if self.help => self.help = false,
            Action::Escape if self.export.is_some() => self.export = None,
            Action::Escape if self.new_game.is_some() => self.new_game = None,
            Action::Escape if self.share.is_some() => self.share = None,
            Action::Escape if self.settings_open => self.settings_open = false,
            Action::Settings => self.settings_open = true,
            Action::Export => {
                let look = self.look(ctx);
                let session = self.session.as_ref().filter(|session| matches!(session.stage, Stage::Open));
                let folder = &self.settings.export_folder;
                self.export = session.map(|session| ExportDialog::new(session, look, folder));
            }
            Action::Share => {
                let look = self.look(ctx);
                let session = self.session.as_ref().filter(|session| matches!(session.stage, Stage::Open));
                self.share = session.map(|session| ShareDialog::new(session, self.compare.as_deref(), look));
            }
            Action::Escape if Popup::is_any_open(ctx) => Popup::close_all(ctx),
            // The field has lost the focus by now, and a filter its text.
            Action::Escape if self.was_typing => {}
            Action::Escape | Action::ShowMatchList if self.embedded => {}
            Action::Escape if self.session.as_mut().is_some_and(|session| session.take_back()) => {}
            Action::Escape if self.session.is_some() && self.board_inspector.leave_board() => {
                ctx.memory_mut(|memory| memory.surrender_focus(BoardZoom::id()));
            }
            Action::Escape if self.session.is_some() && self.unmark() => {}
            Action::Escape if self.session.is_some() && self.board_inspector.stop_following() => {}
            Action::Escape if self.session.is_some() && self.fight_camera.is_some() => {
                self.show_whole_board()
            }
            Action::Escape if self.drop_range() => {}
            Action::Escape if self.covers_the_board(ctx) => self.side_panel.toggle(self.layout(ctx)),
            Action::Escape if self.shows_result_card() => self.result_card.close(),
            // A game is left on purpose only.
            Action::Escape
                if self.session.as_ref().is_some_and(|game| game.is_playing() && game.result().is_none()) =>
            {
                self.say(ctx, "You are playing: the button of the list leads away");
            }
            // From a board of the wall back to the wall.
            Action::Escape if self.session.is_some() && self.wall.is_some() => self.session = None,
            // From a game back to its tournament; in the tournament back to the previous view.
            Action::Escape if self.session.is_some() && self.tournament.is_some() => {
                (self.session, self.compare) = (None, None);
            }
            Action::Escape if self.shows_tournament() && self.tournament_goes_back() => {}
            Action::Escape if self.projector.is_some() => self.toggle_projector(ctx),
            Action::Escape | Action::ShowMatchList => self.show_match_list(ctx),
            Action::ShowWall => self.ask_for_wall(ctx),
            Action::ShowTournament => self.ask_for_tournament(ctx),
            Action::BoardForward | Action::BoardBack => {
                let wall = self.wall.as_mut();
                if let Some(words) = wall.and_then(|wall| wall.shift(action == Action::BoardForward)) {
                    self.say(ctx, words);
                }
            }
            Action::RemoveBoard => {
                self.wall.iter_mut().for_each(Wall::remove);
                self.tell_removed(ctx);
            }
            Action::PlayPause if self.session.is_none() => self.wall.iter_mut().for_each(Wall::play_or_pause),
            Action::RestoreBoard => self.wall.iter_mut().for_each(Wall::restore),
            Action::Compare => self.ask_to_compare(ctx),
            Action::ToggleSpoilers => {
                flip(&mut self.settings.spoiler_free);
                if let Some(tournament) = &mut self.tournament {
                    tournament.hide();
                }
                let words = match self.settings.spoiler_free {
                    true => "Spoiler mode: results, lengths and what comes are hidden",
                    false => "Spoiler mode off",
                };
                self.notice = Some(Notice::new(words.to_owned(), ctx.input(|input| input.time) + 2.5));
            }
            Action::ToggleSound => self.toggle_sound(ctx),
            Action::NextVolume => self.next_volume(ctx),
            Action::NextEvent if self.compare.is_some() => self.handle_compare(ctx, CompareRequest::Next),
            Action::PreviousEvent if self.compare.is_some() => {
                self.handle_compare(ctx, CompareRequest::Previous)
            }
            Action::Open => {
                self.show_match_list(ctx);
                self.focus = Some(MatchList::address_id());
            }
            Action::NextTheme => self.next_theme(ctx),
            Action::ResetSettings => self.reset_settings(ctx),
            Action::ZoomIn => self.settings.zoom = (self.settings.zoom * ZOOM_STEP).min(*ZOOMS.end()),
            Action::ZoomOut => self.settings.zoom = (self.settings.zoom / ZOOM_STEP).max(*ZOOMS.start()),
            Action::ZoomReset => self.settings.zoom = 1.0,
            Action::ToggleFullscreen => {
                set_fullscreen(ctx, !is_fullscreen(ctx));
            }
            Action::ToggleProjector => self.toggle_projector(ctx),
            Action::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            Action::NextCoordinates => self.next_coordinates(ctx),
            Action::ToggleOverlays => self.toggle_overlays(ctx),
            Action::BoardIn => self.zoom_board(ctx, BOARD_STEP),
            Action::BoardOut => self.zoom_board(ctx, 1.0 / BOARD_STEP),
            Action::BoardWhole => self.show_whole_board(),
            Action::BoardFight => self.toggle_fight_camera(),
            Action::FlipBoard => flip(&mut self.flipped),
            Action::FollowUnit => self.follow_unit(ctx, None),
            Action::Pin => self.pin_pointed(ctx),
            Action::TypeMove => seat_bar::focus_move(ctx),
            Action::Measure => self.toggle_measure(ctx),
            Action::CopyLine => self.copy_line(ctx),
            Action::ToggleNumbers => flip(&mut self.settings.board.numbers),
            Action::ToggleThoughts => flip(&mut self.settings.board.thoughts),
            Action::ToggleSide => self.side_panel.toggle(self.layout(ctx)),
            Action::ShowMatch => self.side_panel.open(Tab::Match),
            Action::ShowMoments => self.side_panel.open(Tab::Moments),
            Action::ShowInspector => self.side_panel.open(Tab::Protocol),
            Action::ShowMoves => self.side_panel.open(Tab::Moves),
            Action::ShowProgram => self.side_panel.open(Tab::Program),
            Action::ShowTalk => self.side_panel.open(Tab::Talk),
            Action::Filter if self.shows_list() => self.focus = Some(self.match_list.unfold_filter()),
            Action::Filter => {
                self.side_panel.open(Tab::Protocol);
                self.side_panel.command_log.show_controls();
                self.focus = Some(CommandLog::filter_id());
            }
            Action::Reconnect if self.session.is_none() => match (&self.wall, &self.tournament) {
                (Some(wall), _) => wall.refresh(),
                (None, Some(tournament)) => tournament.refresh(),
                (None, None) => self.match_list.server.refresh(),
            },
            _ => self.act_on_match(ctx, action),
        }
    }

    pub(super) fn act_on_match(&mut self, ctx: &Context, action: Action) {
        let Some(session) = &mut self.session else { return };
        let mut found = true;
        match action {
            Action::PlayPause => session.play_or_pause(),
            Action::NextCommand => session.step(true),
            Action::PreviousCommand => session.step(false),
            Action::NextTurn => session.step_turn(true),
            Action::PreviousTurn => session.step_turn(false),
            Action::NextEvent => found = session.next_event(),
            Action::PreviousEvent => found = session.previous_event(),
            Action::Start => session.go_to_start(),
            Action::End => session.go_to_end(),
            Action::GoLive => session.go_live(),
            Action::Faster => session.change_speed(true),
            Action::Slower => session.change_speed(false),
            Action::NormalSpeed => session.set_speed(grandstand_replays::Speed::X1),
            Action::ToggleSkipIdle => session.skip_idle(!session.skips_idle()),
            Action::NextIdleAmount => session.next_idle_amount(),
            Action::NextMarker => found = session.next_marker(),
            Action::PreviousMarker => found = session.previous_marker(),
            Action::StopAtMarkers => flip(&mut session.stops_at_markers),
            Action::SaveMarked => session.save_marked(),
            Action::FindMistakes => {
                session.toggle_review(super::wake(ctx));
                self.result_card.tell_review();
            }
            Action::Reconnect => session.reconnect_now(),
            Action::TimelineIn => self.timeline.zoom(session, true),
            Action::TimelineOut => self.timeline.zoom(session, false),
            Action::TimelineWhole => self.timeline.show_whole(session),
            Action::RangeStart => found = session.begin_range(),
            Action::RangeEnd => found = session.end_range(),
            Action::LoopRange => flip(&mut session.loops_range),
            _ => {}
        }
        let events = story(session.scene()).events();
        let words = match action {
            Action::NextEvent if !found && session.hides_future() => "No such event seen yet".to_owned(),
            Action::NextEvent if !found => events.none_after.to_owned(),
            Action::PreviousEvent if !found => events.none_before.to_owned(),
            Action::Faster | Action::Slower | Action::NormalSpeed => {
                format!("Speed {}", session.playback.speed())
            }
            Action::NextMarker if !found => "No moment after this".to_owned(),
            Action::PreviousMarker if !found => "No moment before this".to_owned(),
            Action::NextEvent | Action::PreviousEvent | Action::NextMarker | Action::PreviousMarker => {
                let sides = session.sides();
                session.shown_moment(&sides).unwrap_or_default()
            }
            Action::StopAtMarkers if session.stops_at_markers => "Stops at every moment".to_owned(),
            Action::StopAtMarkers => "Plays through moments".to_owned(),
            Action::RangeStart if !found => "The match ends here".to_owned(),
            Action::RangeEnd if !found => "The match starts here".to_owned(),
            Action::RangeStart | Action::RangeEnd => {
                session.range().map_or_else(String::new, |range| format!("Range {}", range.words()))
            }
            Action::LoopRange if session.loops_range => "The range is played again and again".to_owned(),
            Action::LoopRange => "The range is played once".to_owned(),
            Action::CopyMoves => {
                let moves = &session.events.findings().moves;
                ctx.copy_text(moves.notation());
                format!("Copied: {}", moves.count())
            }
            Action::ToggleBookmark => {
                session.toggle_bookmark().unwrap_or_else(|| "There are too many bookmarks".to_owned())
            }
            Action::ToggleSkipIdle if session.skips_idle() => "Idle time is skipped".to_owned(),
            Action::ToggleSkipIdle => "Idle time is played".to_owned(),
            Action::NextIdleAmount => {
                format!("Idle time played: {}", idle_text(session.playback.idle_max()))
            }
            Action::NextCommand
            | Action::PreviousCommand
            | Action::NextTurn
            | Action::PreviousTurn
            | Action::Start
            | Action::End => {
                // What was told of the moment before is not of this one.
                self.notice = self.notice.take().filter(Notice::has_offer);
                return;
            }
            _ => return,
        };
        self.say(ctx, words);
    }

    pub(super) fn ask(&mut self, ctx: &Context, ask: TimelineRequest) {
        match (ask, &mut self.session) {
            (TimelineRequest::Action(action), _) => self.perform(ctx, action),
            (TimelineRequest::Secs(secs), Some(session)) => session.seek_secs(secs),
            (TimelineRequest::Range(range), Some(session)) => session.set_range(range),
            (TimelineRequest::Speed(speed), Some(session)) => session.set_speed(speed),
            (TimelineRequest::Seq(seq), Some(session)) => drop(session.show_moment(Some(seq))),
            (TimelineRequest::Step { kind, forward }, Some(session)) => {
                if !session.step_marker(kind.as_deref(), forward) {
                    self.say(ctx, if forward { "No moment after this" } else { "No moment before this" });
                }
            }
            (TimelineRequest::Idle(amount), Some(session)) => session.set_idle_max(amount),
            (TimelineRequest::ToggleLane(lane), Some(session)) => session.lanes.toggle(lane),
            (TimelineRequest::ShowKind(kind, shown), Some(session)) => session.filter.show(&kind, shown),
            (TimelineRequest::ShowSide(side), Some(session)) => session.filter.side = side,
            (TimelineRequest::NameBookmark(seq, name), Some(session)) => session.name_bookmark(seq, &name),
            (TimelineRequest::RemoveBookmark(seq), Some(session)) => session.remove_bookmark(seq),
            (_, None) => {}
        }
    }

    /// Follows a unit, else the one that is pointed at, or none any more.
    pub(super) fn follow_unit(&mut self, ctx: &Context, unit: Option<u32>) {
        let Some(session) = &self.session else { return };
        let followed = self.board_inspector.follows();
        let words = match unit {
            Some(_) => self.board_inspector.follow(session, unit),
            None => self.board_inspector.toggle_follow(session),
        };
        if self.board_inspector.follows() {
            self.fight_camera = None;
            self.view.at_least(FOLLOWED, grandstand_board::view(session.scene()).closest());
        } else if followed {
            self.show_whole_board();
        }
        self.say(ctx, words);
    }

    /// Shows all of the board, and stays with no fight.
    pub(super) fn show_whole_board(&mut self) {
        (self.view, self.fight_camera) = (BoardZoom::default(), None);
    }

    /// Stays with the fight, or shows the whole board again.
    fn toggle_fight_camera(&mut self) {
        if self.fight_camera.is_some() {
            return self.show_whole_board();
        }
        self.board_inspector.stop_following();
        self.fight_camera = Some(FightCamera::default());
    }

    fn zoom_board(&mut self, ctx: &Context, factor: f32) {
        self.fight_camera = None;
        let Some(session) = &self.session else { return };
        // What the pointer is at stays below it, as with the wheel, unless it was left there.
        let points = ctx.input(|input| input.pointer.time_since_last_movement() < RESTING);
        let board = ctx.read_response(BoardZoom::id()).filter(|_| points);
        let pointed = board.and_then(|board| Some(board.hover_pos()? - board.rect.center()));
        let closest = grandstand_board::view(session.scene()).closest();
        // Without a pointer a whole board is enlarged around its fight.
        self.aims_at_fight = self.view.is_whole() && pointed.is_none() && factor > 1.0;
        self.view.zoom_at(factor, pointed.unwrap_or_default(), closest);
    }

    /// Removes the range that the viewer has chosen; whether there was one.
    fn drop_range(&mut self) -> bool {
        let Some(session) = self.session.as_mut().filter(|session| session.range().is_some()) else {
            return false;
        };
        session.set_range(None);
        true
    }

    /// Whether the panel, opened by the viewer, covers a part of the board's area.
    pub(super) fn covers_the_board(&self, ctx: &Context) -> bool {
        let layout = self.layout(ctx);
        let is_below = layout.panel == PanelPlacement::Below && !self.side_panel.opens_by_itself();
        self.session.is_some() && is_below && self.side_panel.is_open(layout)
    }
}

/// Whether the program is in full screen.
pub(super) fn is_fullscreen(ctx: &Context) -> bool {
    // A browser reports it to the page only.
    #[cfg(target_arch = "wasm32")]
    if crate::web::is_fullscreen() {
        return true;
    }
    ctx.input(|input| input.viewport().fullscreen.unwrap_or(false))
}

/// Enters or leaves full screen.
pub(super) fn set_fullscreen(ctx: &Context, full: bool) {
    #[cfg(target_arch = "wasm32")]
    crate::web::set_fullscreen(full);
    ctx.send_viewport_cmd(ViewportCommand::Fullscreen(full));
}

fn flip(value: &mut bool) {
    *value = !*value;
}
