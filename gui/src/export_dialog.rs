//! Where the viewer says which picture of the match is to be made, and sees it being made.

use std::io::Cursor;
use std::time::Duration;

use eframe::egui::{
    Align, ComboBox, Context, Frame, Id, Layout, Margin, Modal, ProgressBar, RichText, TextEdit, Theme, Ui,
};
use grandstand_protocol::Micros;
use grandstand_replays::Speed;
use web_time::Instant;

use crate::board::Options;
use crate::export::{Format, Job, Look, Moment, Plan, Range, Size, What};
use crate::save;
use crate::session::Session;
use crate::theme::Palette;

/// How long one frame of the interface may draw.
const BUDGET: Duration = Duration::from_millis(8);
/// A range begins so long before the moment that is shown, until the viewer says otherwise.
const BEFORE: Micros = Micros(10_000_000);
/// The sizes to choose from.
const SIZES: [&str; 6] = ["320x240", "640x480", "800x600", "1280x720", "1920x1080", "3840x2160"];
const FORMATS: [(Format, &str); 4] =
    [(Format::Png, "PNG"), (Format::Svg, "SVG"), (Format::Gif, "GIF"), (Format::Apng, "APNG")];

/// The dialog.
#[derive(Debug)]
pub(crate) struct ExportDialog {
    format: Format,
    at: String,
    from: String,
    to: String,
    size: String,
    speed: Speed,
    light: bool,
    skip_idle: bool,
    name: String,
    state: State,
}

#[derive(Debug)]
enum State {
    /// What is wrong with what was asked for last.
    Asking(Option<String>),
    Working(Box<Job<Cursor<Vec<u8>>>>),
    /// Where the file is.
    Done(String),
}

impl ExportDialog {
    /// About the moment that is shown.
    pub(crate) fn new(ctx: &Context, session: &Session) -> ExportDialog {
        let seq = Moment::Seq(session.seq());
        let time = session.log().time_of(session.seq());
        let from = Micros(time.0.saturating_sub(BEFORE.0) / 100_000 * 100_000);
        let title = session.about.title.trim();
        let game = crate::board::view(session.scene()).name();
        let name = if title.is_empty() { game } else { title };
        ExportDialog {
            format: Format::Png,
            at: seq.to_string(),
            from: Moment::Time(from).to_string(),
            to: seq.to_string(),
            size: SIZES[3].to_owned(),
            speed: Speed::X1,
            light: ctx.theme() == Theme::Light,
            skip_idle: true,
            name: format!("{name} {}", session.seq()),
            state: State::Asking(None),
        }
    }

    /// Shows it over everything else, and draws for a moment; `true` when it should close.
    pub(crate) fn show(&mut self, ctx: &Context, session: &Session, options: Options) -> bool {
        self.work(ctx, session);
        let palette = Palette::of(ctx);
        let frame = Frame::popup(&ctx.global_style()).inner_margin(Margin::same(20)).fill(palette.panel);
        let modal = Modal::new(Id::unique("export")).frame(frame).show(ctx, |ui| {
            ui.set_width((ctx.content_rect().width() - 80.0).min(380.0));
            ui.heading("Export a picture");
            ui.add_space(8.0);
            match &self.state {
                State::Asking(_) => self.ask(ui, session, options),
                State::Working(job) => {
                    let part = job.progress().part();
                    ui.label(format!("Drawing {} …", self.name_of_file()));
                    ui.add(ProgressBar::new(part).show_percentage());
                    ui.add_space(8.0);
                    if ui.button("Cancel").clicked() {
                        self.state = State::Asking(None);
                    }
                    false
                }
                State::Done(place) => {
                    ui.label(format!("Saved: {place}"));
                    ui.add_space(8.0);
                    let mut close = false;
                    let mut more = false;
                    ui.horizontal(|ui| {
                        close = ui.button("Close").clicked();
                        more = ui.button("Another one").clicked();
                    });
                    if more {
                        self.state = State::Asking(None);
                    }
                    close
                }
            }
        });
        modal.should_close() || modal.inner
    }

    /// What is to be made; `true` when it should close.
    fn ask(&mut self, ui: &mut Ui, session: &Session, options: Options) -> bool {
        ui.horizontal(|ui| {
            for (format, name) in FORMATS {
                ui.radio_value(&mut self.format, format, name);
            }
        });
        let hint =
            if self.format.moves() { "A range of the match that moves." } else { "A moment of the match." };
        ui.weak(hint);
        ui.add_space(6.0);
        let field = |ui: &mut Ui, name: &str, text: &mut String| {
            ui.horizontal(|ui| {
                let label = ui.label(name);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.add(TextEdit::singleline(text).desired_width(220.0)).labelled_by(label.id);
                });
            });
        };
        if self.format.moves() {
            field(ui, "From", &mut self.from);
            field(ui, "To", &mut self.to);
        } else {
            field(ui, "Moment", &mut self.at);
        }
        ui.weak("A command's number (120), a time (1:05.5), start or end.");
        field(ui, "Size", &mut self.size);
        ui.horizontal_wrapped(|ui| {
            for size in SIZES {
                if ui
                    .selectable_label(self.size == size, RichText::new(size.replace('x', "×")).small())
                    .clicked()
                {
                    size.clone_into(&mut self.size);
                }
            }
        });
        if self.format.moves() {
            ui.horizontal(|ui| {
                ComboBox::from_label("Speed").selected_text(self.speed.to_string()).width(80.0).show_ui(
                    ui,
                    |ui| {
                        for speed in Speed::ALL {
                            ui.selectable_value(&mut self.speed, speed, speed.to_string());
                        }
                    },
                );
                ui.checkbox(&mut self.skip_idle, "Skip idle time");
            });
        }
        ui.checkbox(&mut self.light, "Light colours");
        field(ui, "Name", &mut self.name);
        if let State::Asking(Some(mistake)) = &self.state {
            ui.colored_label(Palette::of(ui.ctx()).error, mistake);
        }
        ui.add_space(8.0);
        let (mut begin, mut close) = (false, false);
        ui.horizontal(|ui| {
            begin = ui.button("Export").clicked();
            close = ui.button("Close").clicked();
        });
        if begin {
            self.begin(session, options);
        }
        close
    }

    fn begin(&mut self, session: &Session, options: Options) {
        let job =
            self.plan(options).and_then(|plan| Job::new(session.material(), plan, Cursor::new(Vec::new())));
        self.state = match job {
            Ok(job) => State::Working(Box::new(job)),
            Err(error) => State::Asking(Some(sentence(&error.to_string()))),
        };
    }

    fn plan(&self, options: Options) -> Result<Plan, crate::export::ExportError> {
        let range = || -> Result<Range, crate::export::ExportError> {
            let usual = Range::default();
            Ok(Range {
                from: self.from.parse()?,
                to: self.to.parse()?,
                speed: self.speed,
                idle: usual.idle.filter(|_| self.skip_idle),
                ..usual
            })
        };
        let what = match self.format {
            Format::Png => What::Png(self.at.parse()?),
            Format::Svg => What::Svg(self.at.parse()?),
            Format::Gif => What::Gif(range()?),
            Format::Apng => What::Apng(range()?),
        };
        let size: Size = self.size.parse()?;
        Ok(Plan { what, size, look: Look { light: self.light, options } })
    }

    /// Draws as long as a frame of the interface allows.
    fn work(&mut self, ctx: &Context, session: &Session) {
        let State::Working(job) = &mut self.state else { return };
        let began = Instant::now();
        while !job.is_done() && began.elapsed() < BUDGET {
            if let Err(error) = job.step(session.material()) {
                self.state = State::Asking(Some(sentence(&error.to_string())));
                return;
            }
        }
        ctx.request_repaint();
        if !job.is_done() {
            return;
        }
        let name = self.name_of_file();
        if let State::Working(job) = std::mem::replace(&mut self.state, State::Asking(None)) {
            let saved = job.finish().map_err(|error| error.to_string());
            let saved = saved.and_then(|file| save::save(None, &name, &file.into_inner()));
            self.state = match saved {
                Ok(place) => State::Done(place),
                Err(error) => State::Asking(Some(sentence(&error))),
            };
        }
    }

    fn name_of_file(&self) -> String {
        format!("{}.{}", self.name.trim(), self.format.extension())
    }
}

fn sentence(words: &str) -> String {
    crate::sides::capitalised(words)
}
