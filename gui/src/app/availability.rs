//! Availability of actions, for the keys, the menu and the command palette.

use eframe::egui::{Context, Response};

use super::App;
use super::perform::is_fullscreen;
use crate::actions::{Action, Group};
use crate::panels::menu::{self, MenuItemState};
use crate::panels::program::ProgramPanel;
use crate::panels::wall::Wall;
use crate::session::{Session, Stage};
use crate::source::Connection;
use grandstand_story::story;

impl App {
    /// Whether this build, and the game of the open match, ever have something for an action.
    pub(super) fn suits_game(&self, action: Action) -> bool {
        // A page is closed by its browser.
        if action == Action::Quit && cfg!(target_arch = "wasm32") {
            return false;
        }
        let Some(session) = self.open_session() else { return true };
        let story = story(session.scene());
        match action {
            Action::FollowUnit => story.has_units(),
            Action::BoardFight => grandstand_board::view(session.scene()).has_fights(),
            Action::FlipBoard => grandstand_board::view(session.scene()).can_flip(),
            Action::ShowMoves | Action::CopyMoves | Action::ToggleNumbers | Action::ToggleThoughts => {
                story.turns().is_some()
            }
            Action::ShowTalk => session.may_talk,
            Action::FindMistakes => session.scene().game().goes_by_moves(),
            _ => true,
        }
    }

    /// Whether an action would have an effect now.
    pub(super) fn is_possible(&self, action: Action) -> bool {
        let session = self.session.as_ref();
        let open = session.filter(|session| matches!(session.stage, Stage::Open));
        match action {
            _ if self.embedded && action.leads_away_from_the_board() => false,
            _ if !self.suits_game(action) => false,
            Action::PlayPause => match session {
                Some(_) => open.is_some_and(Session::can_pause),
                None => self.wall.as_ref().is_some_and(Wall::has_recordings),
            },
            Action::GoLive => open.is_some_and(|session| session.is_live()),
            Action::ShowMatchList => session.is_some() || self.wall.is_some() || self.tournament.is_some(),
            Action::ShowTournament => match self.tournament.is_some() {
                true => !self.shows_tournament(),
                false => self.match_list.server.with_tournament().is_some(),
            },
            Action::ShowWall => self.has_wall(),
            Action::BoardForward | Action::BoardBack => {
                session.is_none() && self.wall.as_ref().is_some_and(Wall::can_shift)
            }
            Action::RemoveBoard => session.is_none() && self.wall.as_ref().is_some_and(Wall::can_remove),
            Action::RestoreBoard => session.is_none() && self.wall.as_ref().is_some_and(Wall::can_restore),
            Action::Filter if self.shows_list() => self.match_list.has_filter(self.settings.spoiler_free),
            Action::Reconnect => match session {
                Some(session) => matches!(session.connection, Some((Connection::Waiting { .. }, _))),
                None => {
                    self.wall.is_some()
                        || self.tournament.is_some()
                        || self.match_list.server.base().is_some()
                }
            },
            Action::ShowProgram => open.is_some_and(ProgramPanel::suits),
            Action::FindMistakes => open.is_some_and(Session::can_be_reviewed),
            Action::ToggleSpoilers | Action::ToggleSound | Action::NextVolume => true,
            Action::SaveMarked | Action::Export | Action::Share => open.is_some(),
            Action::TypeMove => {
                let shows_field = self.compare.is_none() && !self.is_projected();
                shows_field && open.is_some_and(Session::can_enter_move)
            }
            Action::FollowUnit
            | Action::BoardFight
            | Action::BoardIn
            | Action::BoardOut
            | Action::BoardWhole => open.is_some() && self.compare.is_none(),
            Action::LoopRange => open.is_some_and(|session| session.range().is_some()),
            _ => action.entry().group == Group::Program || open.is_some(),
        }
    }

    /// Why an action of an open match has no effect now, where that needs words; `None` of those that are possible.
    pub(super) fn why_not(&self, action: Action) -> Option<&'static str> {
        let open = self.session.as_ref().filter(|session| matches!(session.stage, Stage::Open))?;
        if self.is_possible(action) || self.embedded && action.leads_away_from_the_board() {
            return None;
        }
        Some(match action {
            Action::GoLive => "This match is not live",
            Action::TypeMove => "Only in a seat, on your turn",
            Action::LoopRange => "No range is set",
            Action::ShowMoves | Action::CopyMoves | Action::ToggleNumbers | Action::ToggleThoughts => {
                "This game has no list of moves"
            }
            Action::ShowTalk => "Nobody says anything in this match",
            Action::ShowProgram => "This match has no programs to show",
            Action::FindMistakes if open.is_spoiler_free() => "Not in spoiler mode",
            Action::FindMistakes => "Only in a recording of Gomoku, Pente or Riskless that is read whole",
            Action::FollowUnit if !self.suits_game(action) => "This game has no units to follow",
            Action::BoardFight if !self.suits_game(action) => "This game has no fights",
            Action::FollowUnit
            | Action::BoardFight
            | Action::BoardIn
            | Action::BoardOut
            | Action::BoardWhole
                if self.compare.is_some() =>
            {
                "Not in a comparison"
            }
            Action::FlipBoard => "This board is never turned around",
            _ => return None,
        })
    }

    /// State of an action for the menu.
    fn standing(&self, ctx: &Context, action: Action) -> MenuItemState {
        let board = self.settings.board;
        let on = match action {
            Action::ToggleSkipIdle => Some(self.settings.skip_idle),
            Action::StopAtMarkers => self.session.as_ref().map(|session| session.stops_at_markers),
            Action::FlipBoard => Some(self.flipped),
            Action::BoardFight => Some(self.fight_camera.is_some()),
            Action::LoopRange => self.session.as_ref().map(|session| session.loops_range),
            Action::ToggleSide => Some(self.side_panel.is_open(self.layout(ctx))),
            Action::Measure => Some(self.board_inspector.measures()),
            Action::ToggleOverlays => Some(board.overlays),
            Action::ToggleNumbers => Some(board.numbers),
            Action::ToggleThoughts => Some(board.thoughts),
            Action::ToggleProjector => Some(self.projector.is_some()),
            Action::ToggleFullscreen => Some(is_fullscreen(ctx)),
            Action::ToggleSpoilers => Some(self.settings.spoiler_free),
            Action::ToggleSound => Some(self.settings.sound.on),
            Action::Compare => Some(self.compare.is_some()),
            _ => None,
        };
        MenuItemState { possible: self.is_possible(action), on }
    }

    /// Shows the menu below its button; returns the chosen action.
    pub(super) fn menu(&self, button: &Response) -> Option<Action> {
        menu::show(button, |action| self.standing(&button.ctx, action))
    }
}
