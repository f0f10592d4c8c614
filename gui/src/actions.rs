//! Everything that a viewer can do, in one table: it feeds the keys, the buttons' tooltips and the help.

use eframe::egui::text_selection::LabelSelectionState;
use eframe::egui::{self, Key, KeyboardShortcut, Modifiers};

/// The heading under which the help shows an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Playing and seeking.
    Playback,
    /// What is shown.
    View,
    /// Matches and windows.
    Program,
}

impl Group {
    /// Every group, in the order of the help.
    pub const ALL: [Group; 3] = [Group::Playback, Group::View, Group::Program];

    /// The heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Group::Playback => "Playing and seeking",
            Group::View => "What is shown",
            Group::Program => "Matches and the window",
        }
    }
}

/// An action with its name and its keys; the first key is the one that tooltips name.
#[derive(Debug)]
pub struct Entry {
    /// What it does.
    pub action: Action,
    /// Its name, in the words of a button.
    pub name: &'static str,
    /// Where the help lists it.
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
        /// One thing that a viewer can do without pointing at a place.
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
    /// Starts or stops the clock of what is shown.
    PlayPause, "Play or pause", Playback, [key(Key::Space), key(Key::K)];
    /// One command forward.
    NextCommand, "Next command", Playback, [key(Key::ArrowRight)];
    /// One command back.
    PreviousCommand, "Previous command", Playback, [key(Key::ArrowLeft)];
    /// Forward to the end of the next turn.
    NextTurn, "Next turn", Playback, [shift(Key::ArrowRight)];
    /// Back to the end of the turn before.
    PreviousTurn, "Previous turn", Playback, [shift(Key::ArrowLeft)];
    /// Forward to the next thing of note: in Abalone, a piece that leaves the board.
    NextEvent, "Next event: a point, a loss", Playback, [key(Key::N)];
    /// Back to the last thing of note.
    PreviousEvent, "Previous event", Playback, [key(Key::P)];
    /// To the beginning.
    Start, "To the start", Playback, [key(Key::Home)];
    /// To the end of what is known.
    End, "To the end", Playback, [key(Key::End)];
    /// Shows what happens now.
    GoLive, "Back to live", Playback, [key(Key::L)];
    /// Twice as fast.
    Faster, "Faster", Playback, [key(Key::CloseBracket), key(Key::ArrowUp)];
    /// Half as fast.
    Slower, "Slower", Playback, [key(Key::OpenBracket), key(Key::ArrowDown)];
    /// Real time.
    NormalSpeed, "Normal speed", Playback, [key(Key::Num0)];
    /// Whether stretches where nothing happens are jumped over.
    ToggleSkipIdle, "Skip idle time", Playback, [key(Key::I)];
    /// How much of such a stretch is played: another amount.
    NextIdleAmount, "Idle limit", Playback, [shift(Key::I)];
    /// To the next moment of any kind that is shown.
    NextMarker, "Next moment of any kind", Playback, [key(Key::J)];
    /// To the last moment of any kind that is shown.
    PreviousMarker, "Previous moment of any kind", Playback, [shift(Key::J)];
    /// Whether the picture stops at every moment that is shown.
    StopAtMarkers, "Stop at every moment", Playback, [key(Key::G)];
    /// A bookmark at the moment shown, or none there any more.
    ToggleBookmark, "Toggle bookmark", Playback, [key(Key::A)];
    /// A copy of the match with the bookmarks in it.
    SaveMarked, "Save the match with bookmarks", Program, [];
    /// Shows the plot and the talk.
    ShowMatch, "Score and talk", View, [key(Key::Num1)];
    /// Shows the moments as a list.
    ShowMoments, "Moments as a list", View, [key(Key::Num2)];
    /// Shows the protocol inspector.
    ShowInspector, "Protocol inspector", View, [key(Key::Num3)];
    /// Shows the moves of a game by turns as a list.
    ShowMoves, "Moves as a list", View, [key(Key::Num4)];
    /// Shows the programs of the bots.
    ShowProgram, "Programs of the bots", View, [key(Key::Num5)];
    /// Shows or hides the panel beside the board.
    ToggleSide, "Side panel on or off", View, [key(Key::B)];
    /// Puts the cursor in the inspector's filter.
    Filter, "Filter the inspector", View, [key(Key::Slash), command(Key::F)];
    /// The names of rows and columns, then of every place, then none.
    NextCoordinates, "Coordinates: at the edges, everywhere, off", View, [key(Key::C)];
    /// Pins the place that is pointed at, or takes its pin off.
    Pin, "Pin the place that is pointed at", View, [key(Key::Y)];
    /// Puts a ruler on the board, or away.
    Measure, "Measure distances", View, [key(Key::U)];
    /// What bots draw over the board on or off.
    ToggleOverlays, "Bots' drawings on or off", View, [key(Key::X)];
    /// Copies the line of the protocol that is shown.
    CopyLine, "Copy the line that is shown", View, [command(Key::C)];
    /// Copies the moves of a game by turns.
    CopyMoves, "Copy the moves", View, [shift(Key::C)];
    /// The numbers of moves on or off.
    ToggleNumbers, "Numbers of moves on or off", View, [key(Key::D)];
    /// The moves that players expect on or off.
    ToggleThoughts, "Expected moves on or off", View, [key(Key::V)];
    /// The list of matches.
    ShowLibrary, "List of matches", Program, [key(Key::M)];
    /// Many boards at once.
    ShowWall, "Wall of boards", Program, [key(Key::W)];
    /// The tournament that the server shows.
    ShowTournament, "Tournament of the server", Program, [shift(Key::W)];
    /// One board of the wall one place forward.
    BoardForward, "Board of the wall one place forward", Program, [key(Key::Comma)];
    /// One board of the wall one place back.
    BoardBack, "Board of the wall one place back", Program, [key(Key::Period)];
    /// Two matches side by side.
    Compare, "Compare with another match", Program, [key(Key::Q)];
    /// Hides results, lengths and what comes, or shows them.
    ToggleSpoilers, "Spoiler mode: hide what comes", View, [key(Key::S)];
    /// What happens is heard, or not.
    ToggleSound, "Sound on or off", View, [key(Key::Z)];
    /// How loud it is: another volume.
    NextVolume, "Sound: low, medium, high", View, [shift(Key::Z)];
    /// Puts the cursor in the field for an address or a file.
    Open, "Open an address or a file", Program, [key(Key::O), command(Key::O)];
    /// Closes what is on top.
    Back, "Close or go back", Program, [key(Key::Escape)];
    /// Makes a picture of the match.
    Export, "Export a picture", Program, [key(Key::E)];
    /// Tries to connect at once instead of waiting.
    Reconnect, "Reconnect now", Program, [key(Key::R)];
    /// Dark, light, or as the system has it.
    NextTheme, "Theme: system, dark, light", Program, [key(Key::T)];
    /// Larger text and board.
    ZoomIn, "Larger", Program, [command(Key::Plus), command(Key::Equals)];
    /// Smaller text and board.
    ZoomOut, "Smaller", Program, [command(Key::Minus)];
    /// The size that suits the window.
    ZoomReset, "Normal size", Program, [command(Key::Num0)];
    /// A link to the moment that is shown.
    CopyLink, "Copy a link to this moment", Program, [command(Key::L)];
    /// Everything that can be done, found by its name.
    Find, "Find a command", Program, [command(Key::K)];
    /// Everything that is remembered as at the first start.
    ResetSettings, "Reset settings", Program, [];
    /// The whole screen, or a window.
    ToggleFullscreen, "Full screen", Program, [key(Key::F), key(Key::F11)];
    /// The whole screen for boards, with text that is read from far away.
    ToggleProjector, "Projector mode", Program, [shift(Key::F)];
    /// The list of keys.
    ToggleHelp, "Keyboard shortcuts", Program, [key(Key::Questionmark), key(Key::H), key(Key::F1)];
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

    /// What a tooltip says: the name and the first key.
    #[must_use]
    pub fn tooltip(self) -> String {
        self.tooltip_with(self.name())
    }

    /// The same with another name, where the game or the moment has one.
    #[must_use]
    pub fn tooltip_with(self, name: &str) -> String {
        match self.entry().keys.first() {
            Some(key) => format!("{name}  ({})", key_text(key)),
            None => name.to_owned(),
        }
    }

    /// Whether the action shows something besides the board and the timeline.
    pub(crate) fn leads_away_from_the_board(self) -> bool {
        matches!(
            self,
            Action::ShowLibrary
                | Action::ShowWall
                | Action::ShowTournament
                | Action::Compare
                | Action::Open
                | Action::Find
                | Action::ShowMatch
                | Action::ShowMoments
                | Action::ShowMoves
                | Action::ShowInspector
                | Action::ShowProgram
                | Action::ToggleSide
                | Action::Filter
        )
    }

    /// Whether the action's key works while somebody types: those that no text can contain.
    fn works_while_typing(self) -> bool {
        matches!(
            self,
            Action::Back
                | Action::Find
                | Action::CopyLink
                | Action::ZoomIn
                | Action::ZoomOut
                | Action::ZoomReset
                | Action::Open
        )
    }
}

/// How a key is written in tooltips and in the help.
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

/// All keys of an action, as they are written in menus.
pub(crate) fn keys_text(keys: &[KeyboardShortcut]) -> String {
    keys.iter().map(key_text).collect::<Vec<_>>().join("  ")
}

/// Takes the keys of this frame out of the input and says what they ask for, in the order they were pressed. `typing`:
/// whether letters are for a field; `on_board`: whether the arrows are for the board.
pub(crate) fn pressed(ctx: &egui::Context, typing: bool, on_board: bool) -> Vec<Action> {
    // Where text is selected, that is what is to be copied.
    let selected = ctx.plugin_or_default::<LabelSelectionState>().lock().has_selection();
    let mut actions = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            if matches!(event, egui::Event::Copy) && !typing && !selected {
                // The platform tells of the key by what it stands for.
                actions.push(Action::CopyLine);
                return false;
            }
            let egui::Event::Key { key, pressed: true, modifiers, .. } = event else { return true };
            let found = ACTIONS.iter().find(|entry| entry.keys.iter().any(|k| matches(k, *key, *modifiers)));
            match found {
                Some(_) if on_board && is_arrow(*key) && modifiers.is_none() => true,
                Some(entry) if entry.action == Action::CopyLine && selected => true,
                Some(entry)
                    if !typing
                        || (entry.action.works_while_typing()
                            && (modifiers.command || *key == Key::Escape)) =>
                {
                    actions.push(entry.action);
                    // A filter that has the cursor is emptied by it.
                    typing && *key == Key::Escape
                }
                _ => true,
            }
        });
    });
    actions
}

fn is_arrow(key: Key) -> bool {
    matches!(key, Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown)
}

/// Whether a key press is the shortcut. Shift is part of how `?` and `+` are typed on many keyboards, so it only
/// counts where the shortcut's key means the same with and without it.
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
    fn tooltips_name_the_key() {
        assert_eq!(Action::NextTurn.tooltip(), "Next turn  (Shift+→)");
        assert_eq!(Action::ZoomIn.tooltip(), "Larger  (Ctrl++)");
    }
}
