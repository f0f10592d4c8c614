//! Panels: the parts of the screen.
//!
//! | module | what it is |
//! | --- | --- |
//! | `status` | title, state and troubles of a match |
//! | `timeline` | the track with its markers, the lanes below it, the buttons |
//! | `side_panel` | the panel beside the board: `plot`, `move_list`, `moment_list`, `chat`, `command_log` |
//! | `review_row` | an engine's review: the button, its progress, the move that lost |
//! | `evaluation_bar` | the players' evaluation, as a bar beside the board |
//! | `program` | a bot's program at the shown moment: steps, searches, prints, a heat map |
//! | `poster` | the sign that starts a match in a frame of another page |
//! | `board_controls` | the small buttons that enlarge the board and turn it around |
//! | `board_inspector` | places of the board: cards, pins, the ruler, the bots' drawings |
//! | `seat_bar` | the line in which a viewer takes a seat and moves |
//! | `new_game` | the dialog with the settings of the next match |
//! | `result_card` | the card at the end of a match |
//! | `match_list` | the first screen: a server's matches, recordings, recently opened matches |
//! | `compare` | two matches side by side |
//! | `wall` | many boards at once |
//! | `command_palette`, `menu`, `help` | the table of actions as a palette, a menu and a page of help |
//! | `export_dialog` | the dialog that exports pictures; `export_preview` shows one before, `animation_preview` an animation |
//! | `settings_dialog` | all settings, each with a sentence |
//! | `share_dialog` | links, code for other pages, the picture on the clipboard |
//! | `transcript` | the match in words for screen readers |
//! | `trouble_card`, `drop_overlay` | what went wrong; where a dragged file may be dropped |

mod animation_preview;
pub(crate) mod board_controls;
pub(crate) mod board_inspector;
pub(crate) mod chat;
pub(crate) mod command_log;
pub(crate) mod command_palette;
pub(crate) mod compare;
pub(crate) mod drop_overlay;
pub(crate) mod evaluation_bar;
pub(crate) mod export_dialog;
mod export_preview;
pub(crate) mod help;
pub(crate) mod match_list;
pub(crate) mod menu;
pub(crate) mod moment_list;
pub(crate) mod move_list;
pub(crate) mod new_game;
pub(crate) mod plot;
pub(crate) mod poster;
pub(crate) mod program;
pub(crate) mod result_card;
pub(crate) mod review_row;
pub(crate) mod seat_bar;
pub(crate) mod settings_dialog;
pub(crate) mod share_dialog;
pub(crate) mod side_panel;
pub(crate) mod status;
pub(crate) mod timeline;
pub(crate) mod transcript;
pub(crate) mod trouble_card;
pub(crate) mod wall;
