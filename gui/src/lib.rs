//! The spectator: live and recorded matches in a window or a page.
//!
//! [`App`] is the whole interface, on every platform. [`native`] shows it in a window, `web` in a page. It knows no
//! game's rules: it shows what commands say, and the answers of the machine behind the program panel.
//! Texts, figures and events come from [`grandstand_story`]; boards are painted by [`grandstand_board`], pictures in
//! files are made by [`grandstand_export`]. Matches arrive from [`grandstand_source`], which has the sockets, files and
//! threads.
//!
//! | module | what it is |
//! | --- | --- |
//! | `app` | the whole interface: screens, top bar, opening of targets, actions, and `page_api`, through which a web page drives it |
//! | `session` | one watched match: an open match, the board that paints it, the viewer's choices and bookmarks |
//! | `panels` | the parts of the screen: board inspector, side panel, timeline, match list, wall, dialogs |
//! | `tournament` | the screen of a tournament: tables, brackets, rounds, ratings, games, players |
//! | [`actions`] | table of all actions: keys, tooltips, help |
//! | `settings` | settings that are remembered between starts |
//! | [`sound`] | tones for events: the choice of events, and the players |
//! | `layout` | layout of the screen by the window's size |
//! | `icons`, `widgets` | icons, buttons, lists |
//! | `budget` | the clock for work that is spread over frames |
//!
//! ```no_run
//! let target = "http://localhost:8126/".parse()?;
//! grandstand_gui::native::run(Some(target), None, None)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod actions;
mod app;
mod budget;
mod icons;
mod layout;
#[cfg(not(target_arch = "wasm32"))]
pub mod native;
mod panels;
mod session;
mod settings;
pub mod sound;
mod tournament;
#[cfg(target_arch = "wasm32")]
pub mod web;
mod widgets;

use grandstand_source::{self as source, address};

pub use address::{Base, Comparison, Target, TargetError, lock};
pub use app::{App, page_api};
pub use grandstand_source::errors;
