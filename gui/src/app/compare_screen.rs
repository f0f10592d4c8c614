//! Screen with two matches side by side.

use eframe::egui::{CentralPanel, Context, Frame, Panel, Ui};
use grandstand_board::theme::Palette;
use grandstand_story::games::sides;

use super::notice::Notice;
use super::{App, wake};
use crate::address::{Comparison, Target};
use crate::layout::ScreenLayout;
use crate::panels::compare::{self, Compare, CompareRequest};
use crate::panels::timeline;
use crate::session::{Session, Stage};
use crate::source;

impl App {
    /// Shows two matches side by side.
    pub(super) fn show_comparison(&mut self, ctx: &Context, comparison: Comparison) {
        let Comparison { pair: [left, right], lock, with_seq } = comparison;
        let open = |target: Target| {
            let feed = source::open(&target, wake(ctx))?;
            Some(Session::new(target, feed))
        };
        if let (Some(left), Some(right)) = (open(left), open(right)) {
            self.show_session(left);
            self.session.iter_mut().for_each(|session| session.is_compared = true);
            self.compare = Some(Box::new(Compare::new(right, lock, self.settings.locks, with_seq)));
        }
    }

    /// Ends a comparison; without one, starts to select another match for the shown one.
    pub(super) fn ask_to_compare(&mut self, ctx: &Context) {
        if self.compare.is_some() {
            return self.end_comparison();
        }
        let shown = self.session.as_ref().map(|session| session.target.clone());
        self.show_match_list(ctx);
        self.match_list.select(shown);
        let words = "Choose two matches or recordings to compare";
        self.notice = Some(Notice::new(words.to_owned(), ctx.input(|input| input.time) + 4.0));
    }

    /// Continues with the first match alone.
    fn end_comparison(&mut self) {
        self.compare = None;
        self.session.iter_mut().for_each(|session| session.is_compared = false);
    }

    pub(super) fn show_compare_screen(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let palette = Palette::of(&ctx);
        let options = self.board_options();
        let (Some(session), Some(compare)) = (&self.session, &self.compare) else { return };
        let layout = ScreenLayout::of(&ctx);
        let bar = Frame::new().fill(palette.panel);
        let mut ask = None;
        let height = timeline::height(layout, session);
        Panel::bottom("timeline").exact_size(height).frame(bar).resizable(false).show(ui, |ui| {
            let sides = sides(session.scene(), &session.about.teams);
            match session.stage {
                Stage::Open => {
                    self.timeline.set_upright(false);
                    ask = self.timeline.show(ui, layout, session, &sides);
                }
                _ => timeline::show_empty(ui, ui.max_rect()),
            }
        });
        let mut request = None;
        let division = compare.division(&ctx, session, ui.available_rect_before_wrap());
        let height = compare::strip_height(&ctx, division.pairs);
        Panel::bottom("differences").exact_size(height).frame(bar).resizable(false).show(ui, |ui| {
            request = compare::show_strip(ui, compare, session, division);
        });
        CentralPanel::default().frame(Frame::new().fill(palette.ground)).show(ui, |ui| {
            request = compare.show(ui, session, options, division).or(request.take());
        });
        if let Some(request) = request {
            self.handle_compare(&ctx, request);
        }
        if let Some(ask) = ask {
            self.ask(&ctx, ask);
        }
    }

    /// Executes a request of the comparison's bar.
    pub(super) fn handle_compare(&mut self, ctx: &Context, request: CompareRequest) {
        if request == CompareRequest::End {
            return self.end_comparison();
        }
        let (Some(session), Some(compare)) = (&mut self.session, &mut self.compare) else { return };
        if let CompareRequest::Lock(lock) = request {
            self.settings.locks.choose(session.scene(), lock);
        }
        if let Some(words) = compare.handle(session, request) {
            self.notice = Some(Notice::new(words.to_owned(), ctx.input(|input| input.time) + 1.6));
        }
    }
}
