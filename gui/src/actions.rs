//! Table of actions: everything that a viewer can do. Keys, tooltips, menus and help are made from it.

use eframe::egui::text_selection::LabelSelectionState;
use eframe::egui::{self, Key, KeyboardShortcut, Modifiers};

/// Group of actions in the help and the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Playing and seeking.
    Playback,
    /// What is seen of the timeline and the board.
    Timeline,
    /// The contents of the screen.
    View,
    /// Matches and the window.
    Program,
}

impl Group {
    /// All groups, in the order of the help.
    pub const ALL: [Group; 4] = [Group::Playback, Group::Timeline, Group::View, Group::Program];

    /// The group's heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Group::Playback => "Playing and seeking",
            Group::Timeline => "The timeline and the board",
            Group::View => "What is shown",
            Group::Program => "Matches and the window",
        }
    }
}

/// A line of the table. Tooltips name the first key.
#[derive(Debug)]
pub struct Entry {
    /// The action.
    pub action: Action,
    /// Its name, as on a button.
    pub name: &'static str,
    /// Its group.
    pub group: Group,
    /// Its keys.
    pub keys: &'static [KeyboardShortcut],
}

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}
const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}
const fn command(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

macro_rules! actions {
    ($($(#[$doc:meta])* $action:ident, $name:literal, $group:ident, [$($key:expr),*];)*) => {
        /// An action that needs no place on the screen.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action {
            $($(#[$doc])* $action,)*
        }

        /// The table.
        pub const ACTIONS: &[Entry] = &[
            $(Entry { action: Action::$action, name: $name, group: Group::$group, keys: &[$($key),*] }),*
        ];
    };
}

actions! {
    /// Starts or stops playback.
    PlayPause, "Play or pause", Playback, [key(Key::Space), key(Key::K)];
    /// One command forward.
    NextCommand, "Next command", Playback, [key(Key::ArrowRight)];
    /// One command back.
    PreviousCommand, "Previous command", Playback, [key(Key::ArrowLeft)];
    /// To the end of the next turn.
    NextTurn, "Next turn", Playback, [shift(Key::ArrowRight)];
    /// To the end of the previous turn.
    PreviousTurn, "Previous turn", Playback, [shift(Key::ArrowLeft)];
    /// To the next event of the game: in Abalone, a piece that leaves the board.
    NextEvent, "Next event", Playback, [key(Key::N)];
    /// To the previous event of the game.
    PreviousEvent, "Previous event", Playback, [key(Key::P)];
    /// To the start.
    Start, "To the start", Playback, [key(Key::Home)];
    /// To the end of the known part.
    End, "To the end", Playback, [key(Key::End)];
    /// To the present of a live match.
    GoLive, "Back to live", Playback, [key(Key::L)];
    /// Doubles the speed.
    Faster, "Faster", Playback, [key(Key::CloseBracket), key(Key::ArrowUp)];
    /// Halves the speed.
    Slower, "Slower", Playback, [key(Key::OpenBracket), key(Key::ArrowDown)];
    /// Sets the speed to real time.
    NormalSpeed, "Normal speed", Playback, [key(Key::Num0)];
    /// Turns skipping of idle time on or off.
    ToggleSkipIdle, "Skip idle time", Playback, [key(Key::I)];
    /// Sets the next limit for idle time.
    NextIdleAmount, "Idle limit", Playback, [shift(Key::I)];
    /// To the next moment of any shown kind.
    NextMarker, "Next moment of any kind", Playback, [key(Key::J)];
    /// To the previous moment of any shown kind.
    PreviousMarker, "Previous moment of any kind", Playback, [shift(Key::J)];
    /// Turns stopping at every shown moment on or off.
    StopAtMarkers, "Stop at every moment", Playback, [key(Key::G)];
    /// Sets a bookmark at the shown moment, or removes it.
    ToggleBookmark, "Toggle bookmark", Playback, [key(Key::A)];
    /// Less of the match on the timeline, around the picture.
    TimelineIn, "Timeline: zoom in", Timeline, [shift(Key::ArrowUp)];
    /// More of the match on the timeline.
    TimelineOut, "Timeline: zoom out", Timeline, [shift(Key::ArrowDown)];
    /// All of the match on the timeline, or the range.
    TimelineWhole, "Timeline: whole match, or the range", Timeline, [shift(Key::Home)];
    /// The range begins at the moment shown.
    RangeStart, "Range starts here", Timeline, [shift(Key::B)];
    /// The range ends at the moment shown.
    RangeEnd, "Range ends here", Timeline, [shift(Key::N)];
    /// Whether the range is played again and again.
    LoopRange, "Loop the range", Timeline, [shift(Key::O)];
    /// Saves a copy of the match with the bookmarks.
    SaveMarked, "Save the match with bookmarks", Program, [];
    /// Shows the plots, and what has room below them.
    ShowMatch, "Match: plots and more", View, [key(Key::Num1)];
    /// Shows the list of moments.
    ShowMoments, "List of moments", View, [key(Key::Num2)];
    /// Shows the protocol inspector.
    ShowInspector, "Protocol inspector", View, [key(Key::Num3)];
    /// Shows the moves of a turn game as a list.
    ShowMoves, "List of moves", View, [key(Key::Num4)];
    /// Shows the bots' programs.
    ShowProgram, "Bot programs", View, [key(Key::Num5)];
    /// Shows the chat.
    ShowTalk, "Talk", View, [key(Key::Num6)];
    /// Opens or closes the side panel.
    ToggleSide, "Side panel on or off", View, [key(Key::B)];
    /// Focuses the filter of the list, or of the inspector.
    Filter, "Filter the list or the protocol", View, [key(Key::Slash), command(Key::F)];
    /// Coordinates at the edges, then on every place, then none.
    NextCoordinates, "Coordinates: at the edges, everywhere, off", View, [key(Key::C)];
    /// Pins the place under the pointer, or removes its pin.
    Pin, "Pin the place under the pointer", View, [key(Key::Y)];
    /// Puts a ruler on the board, or removes it.
    Measure, "Measure distances", View, [key(Key::U)];
    /// Turns the bots' drawings on the board on or off.
    ToggleOverlays, "Bot drawings on or off", View, [key(Key::X)];
    /// Copies the shown protocol line.
    CopyLine, "Copy the current line", View, [command(Key::C)];
    /// Copies the moves of a turn game.
    CopyMoves, "Copy the moves", View, [shift(Key::C)];
    /// Has an engine look for the move that lost, or stops it.
    FindMistakes, "Find the move that lost", View, [shift(Key::E)];
    /// Turns the numbers of moves on or off.
    ToggleNumbers, "Move numbers on or off", View, [key(Key::D)];
    /// Turns the moves that players expect on or off.
    ToggleThoughts, "Expected moves on or off", View, [key(Key::V)];
    /// Stays with the unit that is pointed at, or with none.
    FollowUnit, "Follow the unit under the pointer", Timeline, [shift(Key::U)];
    /// The board larger.
    BoardIn, "Board: zoom in", Timeline, [key(Key::Plus), key(Key::Equals)];
    /// The board smaller.
    BoardOut, "Board: zoom out", Timeline, [key(Key::Minus)];
    /// The whole board.
    BoardWhole, "Board: fit", Timeline, [key(Key::Num9)];
    /// The part of the board where units fight, or the whole board again.
    BoardFight, "Board: zoom to the fight", Timeline, [key(Key::Num8)];
    /// The board from its other side.
    FlipBoard, "Board: flip", Timeline, [shift(Key::R)];
    /// Shows the list of matches.
    ShowMatchList, "List of matches", Program, [key(Key::M)];
    /// Shows many boards at once.
    ShowWall, "Wall of boards", Program, [key(Key::W)];
    /// Shows the server's tournament.
    ShowTournament, "Tournament of the server", Program, [shift(Key::W)];
    /// Moves a board of the wall one place forward.
    BoardForward, "Wall: move the board forward", Program, [key(Key::Comma)];
    /// Moves a board of the wall one place back.
    BoardBack, "Wall: move the board back", Program, [key(Key::Period)];
    /// Takes a board off the wall.
    RemoveBoard, "Wall: remove the board", Program, [key(Key::Delete), key(Key::Backspace)];
    /// Puts the board back that was taken off the wall last.
    RestoreBoard, "Wall: undo a removal", Program, [command(Key::Z)];
    /// Leads to the field for a move, in a seat.
    TypeMove, "Seat: type a move", Program, [shift(Key::M)];
    /// Shows two matches side by side.
    Compare, "Compare with another match", Program, [key(Key::Q)];
    /// Turns spoiler mode on or off: results, lengths and the future are hidden.
    ToggleSpoilers, "Spoiler mode: hide what comes", View, [key(Key::S)];
    /// Turns sound on or off.
    ToggleSound, "Sound on or off", View, [key(Key::Z)];
    /// Sets the next volume.
    NextVolume, "Sound: low, medium, high", View, [shift(Key::Z)];
    /// Focuses the field for an address or a file.
    Open, "Open an address or a file", Program, [key(Key::O), command(Key::O)];
    /// Closes the topmost dialog, or goes back.
    Escape, "Close or go back", Program, [key(Key::Escape)];
    /// Exports a picture or an animation of the match.
    Export, "Export a picture or animation", Program, [key(Key::E)];
    /// Connects at once instead of waiting.
    Reconnect, "Reconnect now", Program, [key(Key::R)];
    /// Dark theme, light theme, or the system's.
    NextTheme, "Theme: system, dark, light", Program, [key(Key::T)];
    /// Larger text and board.
    ZoomIn, "Interface: larger", Program, [command(Key::Plus), command(Key::Equals)];
    /// Smaller text and board.
    ZoomOut, "Interface: smaller", Program, [command(Key::Minus)];
    /// The default size.
    ZoomReset, "Interface: normal size", Program, [command(Key::Num0)];
    /// Copies a link to the shown moment.
    CopyLink, "Copy a link to this moment", Program, [command(Key::L)];
    /// Links, code for other pages, and the picture.
    Share, "Share: link, embed code, picture", Program, [shift(Key::L)];
    /// Shows the command palette.
    Find, "Find a command", Program, [command(Key::K)];
    /// Shows all settings.
    Settings, "Settings", Program, [command(Key::Comma)];
    /// Resets all remembered settings.
    ResetSettings, "Reset settings", Program, [];
    /// Full screen on or off.
    ToggleFullscreen, "Full screen", Program, [key(Key::F), key(Key::F11)];
    /// Full screen for projectors, with larger text.
    ToggleProjector, "Projector mode", Program, [shift(Key::F)];
    /// Shows the list of keys.
    ToggleHelp, "Keyboard shortcuts", Program, [key(Key::Questionmark), key(Key::H), key(Key::F1)];
    /// Closes the window.
    Quit, "Quit", Program, [command(Key::Q)];
}

impl Action {
    /// The action's line of the table.
    #[must_use]
    pub fn entry(self) -> &'static Entry {
        let found = ACTIONS.iter().find(|entry| entry.action == self);
        found.unwrap_or(&ACTIONS[0])
    }

    /// The action's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Other words for the action, in small letters: the command palette finds it by them too.
    #[must_use]
    pub(crate) fn synonyms(self) -> &'static str {
        match self {
            Action::PlayPause => "stop resume",
            Action::Start => "restart beginning rewind",
            Action::Escape => "leave back",
            Action::NextCommand | Action::PreviousCommand => "step frame line",
            Action::NextEvent | Action::PreviousEvent => "capture goal jump",
            Action::GoLive => "now present",
            Action::Faster | Action::Slower | Action::NormalSpeed => "speed rate",
            Action::ToggleSkipIdle | Action::NextIdleAmount => "pauses gaps",
            Action::ToggleBookmark | Action::SaveMarked => "mark note",
            Action::RangeStart | Action::RangeEnd | Action::LoopRange => "selection repeat clip",
            Action::ShowMatch => "graphs charts plots score",
            Action::ShowMoments => "highlights events key",
            Action::ShowInspector => "lines commands log wire",
            Action::ShowMoves | Action::CopyMoves => "notation",
            Action::ShowProgram => "source code debugger",
            Action::ShowTalk => "chat messages",
            Action::ToggleSide => "sidebar hide",
            Action::Filter => "search find",
            Action::NextCoordinates => "labels grid",
            Action::Pin => "inspect square history",
            Action::Measure => "ruler",
            Action::ToggleOverlays => "annotations",
            Action::FindMistakes => "mistakes blunder review analyse analysis engine evaluate lose",
            Action::ToggleThoughts => "arrows hints expects",
            Action::FollowUnit => "track bot camera",
            Action::BoardFight => "camera action battle combat",
            Action::BoardIn | Action::BoardOut | Action::BoardWhole => "magnify camera reset",
            Action::FlipBoard => "rotate upside down",
            Action::ShowMatchList => "back home browse",
            Action::ShowWall => "grid many boards",
            Action::Compare => "diff side by side",
            Action::ToggleSpoilers => "results future",
            Action::ToggleSound => "mute audio",
            Action::NextVolume => "volume louder quieter",
            Action::Open => "load connect url",
            Action::Export => "gif png image video animation save screenshot",
            Action::Reconnect => "retry network",
            Action::NextTheme => "colours colors appearance mode",
            Action::ZoomIn | Action::ZoomOut | Action::ZoomReset => "text scale font size",
            Action::CopyLink | Action::Share => "url send clipboard",
            Action::Settings | Action::ResetSettings => "preferences options",
            Action::ToggleFullscreen | Action::ToggleProjector => "presentation window",
            Action::ToggleHelp => "hotkeys keys",
            Action::Quit => "exit close",
            _ => "",
        }
    }

    /// The action's name, with the game's word for a turn (`Next move`), as on the screen.
    #[must_use]
    pub fn name_with(self, turn: Option<&str>) -> String {
        match (self, turn) {
            (Action::NextTurn | Action::PreviousTurn, Some(word)) => {
                self.name().replace("turn", &word.to_lowercase())
            }
            _ => self.name().to_owned(),
        }
    }

    /// The action whose keys this one has in a game by moves: there the plain arrows lead from move to move, and with Shift from command
    /// to command.
    fn in_moves(self) -> Action {
        match self {
            Action::NextCommand => Action::NextTurn,
            Action::PreviousCommand => Action::PreviousTurn,
            Action::NextTurn => Action::NextCommand,
            Action::PreviousTurn => Action::PreviousCommand,
            other => other,
        }
    }

    /// The action's keys; `by_moves`: in a game by moves.
    #[must_use]
    pub fn keys(self, by_moves: bool) -> &'static [KeyboardShortcut] {
        let of = if by_moves { self.in_moves() } else { self };
        of.entry().keys
    }

    /// Text of a tooltip: the name and the first key.
    #[must_use]
    pub fn tooltip(self) -> String {
        self.tooltip_with(self.name())
    }

    /// A tooltip with another name, where the game or the moment has one.
    #[must_use]
    pub fn tooltip_with(self, name: &str) -> String {
        tooltip(name, self.entry().keys)
    }

    /// Whether the action shows something other than the board and the timeline.
    pub(crate) fn leads_away_from_the_board(self) -> bool {
        matches!(
            self,
            Action::ShowMatchList
                | Action::ShowWall
                | Action::ShowTournament
                | Action::Compare
                | Action::Open
                | Action::Find
                | Action::Settings
                | Action::ShowMatch
                | Action::ShowMoments
                | Action::ShowMoves
                | Action::ShowInspector
                | Action::ShowProgram
                | Action::ShowTalk
                | Action::ToggleSide
                | Action::Filter
        )
    }

    /// Whether the action's key works while a text field has the focus. Only keys that can't be part of a text do.
    fn works_while_typing(self) -> bool {
        matches!(
            self,
            Action::Escape
                | Action::Find
                | Action::Settings
                | Action::CopyLink
                | Action::ZoomIn
                | Action::ZoomOut
                | Action::ZoomReset
                | Action::Open
        )
    }
}

/// Text of a tooltip: a name and the first of these keys.
pub(crate) fn tooltip(name: &str, keys: &[KeyboardShortcut]) -> String {
    match keys.first() {
        Some(key) => format!("{name}  ({})", key_text(key)),
        None => name.to_owned(),
    }
}

/// Text of a key in tooltips and in the help.
#[must_use]
pub fn key_text(shortcut: &KeyboardShortcut) -> String {
    let mut text = String::new();
    if shortcut.modifiers.command {
        text.push_str("Ctrl+");
    }
    if shortcut.modifiers.shift {
        text.push_str("Shift+");
    }
    text.push_str(match shortcut.logical_key {
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        Key::ArrowUp => "↑",
        Key::ArrowDown => "↓",
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Slash => "/",
        Key::Questionmark => "?",
        Key::Escape => "Esc",
        Key::Plus => "+",
        Key::Minus => "−",
        Key::Equals => "=",
        Key::Comma => ",",
        Key::Period => ".",
        other => other.name(),
    });
    text
}

/// Text of all keys of an action, for menus.
pub(crate) fn keys_text(keys: &[KeyboardShortcut]) -> String {
    keys.iter().map(key_text).collect::<Vec<_>>().join("  ")
}

/// Takes the action keys of this frame out of the input; returns the actions in the order of the presses.
/// With `typing`, letters belong to a text field; `arrows` have the keys that lead from place to place; `by_moves`: in a game by moves.
pub(crate) fn pressed(ctx: &egui::Context, typing: bool, arrows: Arrows, by_moves: bool) -> Vec<Action> {
    // With selected text, "copy" means that text.
    let selected = ctx.plugin_or_default::<LabelSelectionState>().lock().has_selection();
    let mut actions = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            if matches!(event, egui::Event::Copy) && !typing && !selected {
                // The platform reports the key combination as a copy event.
                actions.push(Action::CopyLine);
                return false;
            }
            let egui::Event::Key { key, pressed: true, modifiers, .. } = event else { return true };
            let found = ACTIONS.iter().find(|entry| entry.keys.iter().any(|k| matches(k, *key, *modifiers)));
            match found {
                Some(_) if arrows.have(*key) && modifiers.is_none() => true,
                Some(entry) if entry.action == Action::CopyLine && selected => true,
                Some(entry)
                    if !typing
                        || (entry.action.works_while_typing()
                            && (modifiers.command || *key == Key::Escape)) =>
                {
                    actions.push(if by_moves { entry.action.in_moves() } else { entry.action });
                    // The Escape key also clears a filter with the focus.
                    typing && *key == Key::Escape
                }
                _ => true,
            }
        });
    });
    actions
}

/// Whether a letter, a digit or Tab was pressed in this frame, without a modifier: on the turn of who sits, these lead to the
/// field for a move.
pub(crate) fn leads_to_move(input: &egui::InputState) -> (bool, bool) {
    let plain = |event: &egui::Event| match event {
        egui::Event::Key { key, pressed: true, modifiers, .. } if modifiers.is_none() => Some(*key),
        _ => None,
    };
    let is_letter = |key: Key| matches!(key.name().as_bytes(), [byte] if byte.is_ascii_alphanumeric());
    let keys = || input.events.iter().filter_map(plain);
    (keys().any(is_letter), keys().any(|key| key == Key::Tab))
}

/// Who has the keys that lead from place to place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrows {
    /// The actions.
    Actions,
    /// The board, or the edge of a panel.
    Board,
    /// The rows of a list, or the boards of a wall.
    List,
}

impl Arrows {
    /// Whether a key belongs to them rather than to an action.
    fn have(self, key: Key) -> bool {
        let is_arrow = matches!(key, Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown);
        match self {
            Arrows::Actions => false,
            Arrows::Board => is_arrow,
            Arrows::List => is_arrow || matches!(key, Key::Home | Key::End),
        }
    }
}

/// Whether a key press matches a shortcut. Shift is ignored for keys such as `?` and `+`, since many keyboards need it
/// to type them.
fn matches(shortcut: &KeyboardShortcut, key: Key, modifiers: Modifiers) -> bool {
    let typed_with_shift = matches!(
        shortcut.logical_key,
        Key::Questionmark | Key::Plus | Key::Slash | Key::OpenBracket | Key::CloseBracket | Key::Equals
    );
    shortcut.logical_key == key
        && shortcut.modifiers.command == modifiers.command
        && !modifiers.alt
        && (typed_with_shift || shortcut.modifiers.shift == modifiers.shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_key_means_two_things_and_no_action_is_listed_twice() {
        let (mut keys, mut actions) = (HashSet::new(), HashSet::new());
        for entry in ACTIONS {
            assert!(actions.insert(entry.action), "{:?} twice", entry.action);
            for key in entry.keys {
                assert!(keys.insert(key_text(key)), "{} twice", key_text(key));
            }
        }
    }

    #[test]
    fn shift_tells_a_turn_from_a_command() {
        let entry = |action: Action| &action.entry().keys[0];
        assert!(matches(entry(Action::NextTurn), Key::ArrowRight, Modifiers::SHIFT));
        assert!(!matches(entry(Action::NextCommand), Key::ArrowRight, Modifiers::SHIFT));
        assert!(matches(entry(Action::ToggleHelp), Key::Questionmark, Modifiers::SHIFT));
        assert!(!matches(entry(Action::PlayPause), Key::Space, Modifiers::COMMAND));
    }

    #[test]
    fn in_a_game_by_moves_the_plain_arrows_lead_from_move_to_move() {
        let first = |action: Action, by_moves| key_text(&action.keys(by_moves)[0]);
        assert_eq!([false, true].map(|by_moves| first(Action::NextTurn, by_moves)), ["Shift+→", "→"]);
        assert_eq!([false, true].map(|by_moves| first(Action::PreviousCommand, by_moves)), ["←", "Shift+←"]);
        assert_eq!(first(Action::PlayPause, true), "Space");
    }

    #[test]
    fn tooltips_name_the_key() {
        assert_eq!(Action::NextTurn.tooltip(), "Next turn  (Shift+→)");
        assert_eq!(Action::NextTurn.name_with(Some("Move")), "Next move");
        assert_eq!(Action::PlayPause.name_with(Some("Move")), "Play or pause");
        assert_eq!(Action::ZoomIn.tooltip(), "Interface: larger  (Ctrl++)");
    }
}
