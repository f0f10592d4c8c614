//! Origin of the recording that is played again: the one that is shown, or the server's own, with the token of a program's owner.

use std::collections::BTreeMap;

use eframe::egui::{Button, Context, Id, Key, RichText, Role, Ui, WidgetInfo};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_story::format::capitalised;

use super::ProgramPanel;
use super::link::Recording;
use crate::address::Target;
use crate::session::Session;
use crate::widgets::{add_enabled, line_edit};

/// The longest token.
const TOKEN_MAX: usize = 200;

/// The token, as the viewer types it.
#[derive(Debug, Default)]
pub(super) struct Owner {
    typed: String,
}

/// Whether the match is one of programs. Of a match that a server shows, the language of its programs is told.
pub(super) fn has_programs(session: &Session) -> bool {
    match session.header() {
        Some(header) => !header.about.programs.is_empty(),
        None => {
            let has_language = session.about.by.as_ref().is_some_and(|by| by.language.is_some());
            has_language && address(session).is_some()
        }
    }
}

/// Whether the match is still going on: it is played again when it is over.
pub(super) fn is_going_on(session: &Session) -> bool {
    session.is_live()
}

/// The address at which a server hands over the recording.
fn address(session: &Session) -> Option<String> {
    match &session.target {
        Target::Match { base, id, .. } => Some(base.http(&format!("api/matches/{id}/replay"))),
        Target::Recording { url, .. } => Some(url.clone()),
        _ => None,
    }
}

/// The recording to be played again; `None` while it is being read.
pub(super) fn recording(ctx: &Context, session: &Session) -> Option<Recording> {
    let url = address(session);
    let token = url.as_deref().and_then(|url| token_for(ctx, url));
    let header = session.header().filter(|_| token.is_none());
    match (header, url) {
        // What has been read is asked first: it may have the sources.
        (Some(header), _) => session.is_whole().then(|| Recording::Read {
            header: Box::new(header.clone()),
            log: Box::new(session.whole_log().clone()),
            asked: std::sync::Arc::clone(session.asked()),
            whole: session.damage.is_none(),
        }),
        (None, Some(url)) => Some(Recording::Fetched { url, token }),
        (None, None) => None,
    }
}

/// The scheme and the host of an address: a token is sent nowhere else.
fn server_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// The tokens that were typed, by server. They last as long as the window or the page, and are stored nowhere.
fn tokens() -> Id {
    Id::unique("tokens of owners")
}

fn token_for(ctx: &Context, url: &str) -> Option<String> {
    let tokens = ctx.data(|data| data.get_temp::<BTreeMap<String, String>>(tokens()))?;
    tokens.get(server_of(url)).cloned()
}

fn keep_token(ctx: &Context, url: &str, token: &str) {
    ctx.data_mut(|data| {
        let tokens = data.get_temp_mut_or_default::<BTreeMap<String, String>>(tokens());
        match token {
            "" => tokens.remove(server_of(url)),
            token => tokens.insert(server_of(url).to_owned(), token.to_owned()),
        }
    });
}

impl ProgramPanel {
    /// Why the programs can't be shown, and what the viewer can do about it.
    pub(super) fn refusal(&mut self, ui: &mut Ui, session: &Session) {
        let Some(words) = &self.refused else { return };
        ui.add_space(8.0);
        ui.label(RichText::new("The programs can't be shown").family(semibold()));
        ui.label(format!("{}.", capitalised(words).trim_end_matches('.')));
        ui.add_space(8.0);
        let mut again = false;
        if let Some(url) = address(session) {
            let words = format!("{} hands a program to its owner, who has a token for it.", server_of(&url));
            ui.label(RichText::new(words).size(SMALL).color(Palette::of(ui.ctx()).weak));
            ui.horizontal(|ui| {
                let edit = line_edit(&mut self.owner.typed).password(true).char_limit(TOKEN_MAX);
                // The card of a match that ends comes before it, and must not take the focus away.
                let edit = edit.id(Id::unique("owner's token"));
                let edit = ui.add(edit.hint_text("Owner's token").desired_width(200.0));
                edit.widget_info(|| WidgetInfo::labeled(Role::PasswordInput, true, "Owner's token"));
                let entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                let is_typed = !self.owner.typed.trim().is_empty();
                if (add_enabled(ui, is_typed, Button::new("Use it")).clicked() || entered) && is_typed {
                    keep_token(ui.ctx(), &url, self.owner.typed.trim());
                    again = true;
                }
            });
        }
        again |= ui.button("Try again").clicked();
        if again {
            *self = ProgramPanel { unit: self.unit, ..ProgramPanel::default() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_kept_for_one_server_alone() {
        let ctx = Context::default();
        keep_token(&ctx, "https://arena.example/api/matches/1/replay", "open sesame");
        let token = |url| token_for(&ctx, url);
        assert_eq!(
            token("https://arena.example/tournament/recordings/7.replay").as_deref(),
            Some("open sesame")
        );
        assert_eq!(token("https://arena.example?x=1").as_deref(), Some("open sesame"));
        for other in
            ["http://arena.example/x", "https://arena.example:81/x", "https://arena.example.com/x", ""]
        {
            assert_eq!(token(other), None, "{other}");
        }
        keep_token(&ctx, "https://arena.example/", "");
        assert_eq!(token("https://arena.example/"), None);
    }
}
