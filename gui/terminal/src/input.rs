//! The keys: a single table of their actions, which is also the source of the help.

use ratatui_crossterm::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The action of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    PlayPause,
    NextCommand,
    PreviousCommand,
    NextTurn,
    PreviousTurn,
    NextEvent,
    PreviousEvent,
    Start,
    End,
    Forward,
    Back,
    /// Goes to this tenth of the match.
    Tenths(u8),
    Faster,
    Slower,
    NormalSpeed,
    ToggleIdle,
    Choose,
    Reconnect,
    List,
    Help,
    /// Stops the program and restores the terminal, as other programs of a shell do.
    Suspend,
    Redraw,
    Leave,
    Quit,
}

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Binding {
    pub action: Action,
    codes: &'static [KeyCode],
    /// Whether Shift must be held or must not be held. For letters it is part of typing them.
    shift: bool,
    /// The keys as shown in the help, with and without Unicode.
    pub shown: (&'static str, &'static str),
    /// The action in the words of the help; the keys and it are empty for further keys of an action.
    pub what: &'static str,
}

use KeyCode::Char;

const fn bound(
    action: Action,
    codes: &'static [KeyCode],
    shown: (&'static str, &'static str),
    what: &'static str,
) -> Binding {
    Binding { action, codes, shift: false, shown, what }
}

/// The table, in the order of the help. A letter or a sign that is a key of the window has the same meaning here. Digits have
/// not: in the window they open panels, which the terminal has not.
pub(crate) const BINDINGS: &[Binding] = &[
    bound(Action::PlayPause, &[Char(' '), Char('k')], ("space", "space"), "play or pause"),
    bound(Action::NextCommand, &[KeyCode::Right], ("→", "right"), "next command"),
    bound(Action::PreviousCommand, &[KeyCode::Left], ("←", "left"), "previous command"),
    Binding {
        shift: true,
        ..bound(Action::NextTurn, &[KeyCode::Right], ("⇧→  >", "Shift+right  >"), "next turn")
    },
    bound(Action::NextTurn, &[Char('>')], ("", ""), ""),
    Binding {
        shift: true,
        ..bound(Action::PreviousTurn, &[KeyCode::Left], ("⇧←  <", "Shift+left  <"), "previous turn")
    },
    bound(Action::PreviousTurn, &[Char('<')], ("", ""), ""),
    bound(Action::NextEvent, &[Char('n')], ("n", "n"), "next event: a point, a loss"),
    bound(Action::PreviousEvent, &[Char('p')], ("p", "p"), "previous event"),
    bound(Action::Forward, &[KeyCode::PageDown], ("PgDn", "PgDn"), "forward by 5 % of the match"),
    bound(Action::Back, &[KeyCode::PageUp], ("PgUp", "PgUp"), "back by 5 % of the match"),
    bound(Action::Tenths(0), &[], ("0–9", "0-9"), "to 0 % … 90 % of the match"),
    bound(Action::Start, &[KeyCode::Home], ("Home", "Home"), "to the start"),
    bound(Action::End, &[KeyCode::End, Char('l')], ("End  l", "End  l"), "to the end; back to live"),
    bound(Action::Faster, &[Char(']'), KeyCode::Up], ("↑  ]", "up  ]"), "faster"),
    bound(Action::Slower, &[Char('['), KeyCode::Down], ("↓  [", "down  ["), "slower"),
    bound(Action::NormalSpeed, &[Char('=')], ("=", "="), "normal speed"),
    bound(Action::ToggleIdle, &[Char('i')], ("i", "i"), "skip idle time"),
    bound(Action::Choose, &[KeyCode::Enter], ("Enter", "Enter"), "open the selected match"),
    bound(Action::List, &[Char('m')], ("m", "m"), "list of matches"),
    bound(Action::Reconnect, &[Char('r')], ("r", "r"), "reconnect now"),
    bound(Action::Help, &[Char('?'), Char('h'), KeyCode::F(1)], ("?", "?"), "keyboard shortcuts"),
    bound(Action::Leave, &[KeyCode::Esc], ("Esc", "Esc"), "close, or go back"),
    bound(Action::Quit, &[Char('q')], ("q", "q"), "quit"),
];

/// The keys of the line at the bottom, with and without Unicode, and what they do in one word. The last two are shown always.
pub(crate) const HINTS: &[(&str, &str, &str)] = &[
    ("space", "space", "play"),
    ("← →", "arrows", "step"),
    ("< >", "< >", "turn"),
    ("p n", "p n", "event"),
    ("0–9", "0-9", "seek"),
    ("End/l", "End/l", "live"),
    ("[ ]", "[ ]", "speed"),
    ("?", "?", "keys"),
    ("q", "q", "quit"),
];

/// The action of a key, if it has one.
pub(crate) fn action(key: &KeyEvent) -> Option<Action> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            Char('c' | 'd') => Some(Action::Quit),
            Char('z') => Some(Action::Suspend),
            Char('l') => Some(Action::Redraw),
            _ => None,
        };
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    let code = match key.code {
        Char(digit @ '0'..='9') => return Some(Action::Tenths(digit as u8 - b'0')),
        Char(letter) => Char(letter.to_ascii_lowercase()),
        code => code,
    };
    let shift = key.modifiers.contains(KeyModifiers::SHIFT);
    let is_letter = matches!(code, Char(_));
    let found = BINDINGS
        .iter()
        .find(|binding| binding.codes.contains(&code) && (is_letter || binding.shift == shift));
    found.map(|binding| binding.action)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(code: KeyCode, modifiers: KeyModifiers) -> Option<Action> {
        action(&KeyEvent::new(code, modifiers))
    }

    #[test]
    fn no_key_means_two_things_and_each_line_has_its_words() {
        let mut keys = Vec::new();
        for binding in BINDINGS {
            assert_eq!(binding.shown.0.is_empty(), binding.what.is_empty(), "{binding:?}");
            assert!(binding.shown.1.is_ascii(), "{binding:?}");
            for code in binding.codes {
                assert!(!keys.contains(&(*code, binding.shift)), "{code:?} twice");
                keys.push((*code, binding.shift));
            }
        }
    }

    #[test]
    fn the_help_names_keys_of_its_action_and_of_no_other() {
        for binding in BINDINGS.iter().filter(|binding| !binding.codes.is_empty()) {
            for key in binding.shown.0.split("  ").filter(|key| !key.is_empty()) {
                let bare = key.trim_start_matches('⇧');
                let code = match bare {
                    "space" => Char(' '),
                    "→" => KeyCode::Right,
                    "←" => KeyCode::Left,
                    "↑" => KeyCode::Up,
                    "↓" => KeyCode::Down,
                    "PgDn" => KeyCode::PageDown,
                    "PgUp" => KeyCode::PageUp,
                    "Home" => KeyCode::Home,
                    "End" => KeyCode::End,
                    "Enter" => KeyCode::Enter,
                    "Esc" => KeyCode::Esc,
                    sign => Char(sign.parse().expect("one sign")),
                };
                let modifiers = if bare == key { KeyModifiers::NONE } else { KeyModifiers::SHIFT };
                assert_eq!(pressed(code, modifiers), Some(binding.action), "{key}");
            }
        }
    }

    #[test]
    fn keys_do_what_the_window_does_with_them() {
        let none = KeyModifiers::NONE;
        for (code, modifiers, expected) in [
            (Char(' '), none, Some(Action::PlayPause)),
            (KeyCode::Right, none, Some(Action::NextCommand)),
            (KeyCode::Right, KeyModifiers::SHIFT, Some(Action::NextTurn)),
            (Char('>'), KeyModifiers::SHIFT, Some(Action::NextTurn)),
            (Char('<'), none, Some(Action::PreviousTurn)),
            (Char('7'), none, Some(Action::Tenths(7))),
            (Char('N'), KeyModifiers::SHIFT, Some(Action::NextEvent)),
            (Char('c'), KeyModifiers::CONTROL, Some(Action::Quit)),
            (Char('z'), KeyModifiers::CONTROL, Some(Action::Suspend)),
            (Char('n'), KeyModifiers::CONTROL, None),
            (Char('n'), KeyModifiers::ALT, None),
            (KeyCode::Tab, none, None),
        ] {
            assert_eq!(pressed(code, modifiers), expected, "{code:?} {modifiers:?}");
        }
        let released = KeyEvent::new_with_kind(Char('q'), none, KeyEventKind::Release);
        assert_eq!(action(&released), None);
    }
}
