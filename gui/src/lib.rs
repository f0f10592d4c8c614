//! The spectator: live and recorded matches in a window or a page.
//!
//! [`App`] is the whole interface, on every platform. [`native`] shows it in a window, `web` in a page. It knows nothing
//! of any game's rules: it shows what commands say. What they mean, in words, figures and events, is told by
//! [`grandstand_story`].
//!
//! | module | what it is |
//! | --- | --- |
//! | `app` | the whole interface: its screens, the bar above them, what is opened, and what happens when a key or a button is pressed |
//! | `session` | one match that is watched: its log, the place in it, what is fetched, what is on the move |
//! | `source` | sockets, files and threads; everything that arrives comes out of it as an `Update` |
//! | `board` | one module a game: its painter, and what moves between two pictures |
//! | `bookmarks` | the moments that the viewer marks |
//! | `finale` | the card at the end of a match: who won, what decided it, and the ways on |
//! | `moments` | the moments as a list |
//! | `form` | which part lies where in a window of some size |
//! | `inspect` | looking into a board, by mouse or arrows: the card of a place, pins, the places of a line, the ruler, who draws over it |
//! | `status`, `timeline`, `view`, `scoreboard`, `beside`, `plot`, `chat`, `inspector`, `library`, `help` | the parts of the screen |
//! | `actions` | one table of everything that can be done: keys, tooltips, help |
//! | `menu`, `finder` | the same table as a menu, and as a palette of commands in which a few letters find anything |
//! | `save` | files that the viewer takes along: to the disk, or as a download |
//! | `compare` | two matches side by side, on one clock, and where they differ |
//! | `wall` | many boards at once: which matches, how they share the window, and each of them |
//! | `hand`, `seats` | the viewer as a player: what is asked for, and the line in which it is asked |
//! | `links` | what is copied so that somebody else sees the same moment |
//! | [`sound`] | tones for what happens: which moments are heard, and what plays them |
//! | `settings` | what is remembered from one start to the next |
//! | `theme`, `icons`, `widgets`, `turning` | how things look and are called |
//! | [`remote`], `transcript` | what a page around the spectator asks for and is told; the match in words for screen readers |
//! | [`export`] | pictures of a match in files: PNG, SVG, GIF, animated PNG; `export_dialog` asks which |
//! | [`errors`] | what went wrong, in words that a viewer can act on |
//!
//! ```no_run
//! let target = "http://localhost:8126/".parse()?;
//! grandstand_gui::native::run(Some(target), None)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod actions;
mod app;
mod beside;
mod board;
mod bookmarks;
mod chat;
mod compare;
pub mod errors;
pub mod export;
mod export_dialog;
mod finale;
mod finder;
mod form;
mod hand;
mod help;
mod icons;
mod inspect;
mod inspector;
mod library;
mod links;
mod menu;
mod moments;
#[cfg(not(target_arch = "wasm32"))]
pub mod native;
mod plot;
pub mod remote;
mod save;
mod scoreboard;
mod seats;
mod session;
mod settings;
pub mod sound;
mod source;
mod status;
mod theme;
mod timeline;
mod transcript;
mod turning;
mod view;
mod wall;
#[cfg(target_arch = "wasm32")]
pub mod web;
mod widgets;

pub use app::App;
pub use source::{Base, Comparison, Target, TargetError, lock};
