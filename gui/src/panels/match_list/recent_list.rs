//! Recently opened matches, each with a button that removes it from the list.

use eframe::egui::{FontId, Ui, vec2};
use grandstand_board::text::paint_left;
use grandstand_board::theme::{BODY, Palette, SMALL};

use super::rows::{card, heading};
use super::selection::Selection;
use crate::address::{Base, Target};
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;
use crate::settings::{Recent, Recents};
use crate::widgets::IconButton;

const ROW: f32 = 36.0;

/// Shows the list without the server `shown`, whose matches are on the screen already; returns the target that was
/// pressed.
pub(super) fn show(
    ui: &mut Ui,
    recents: &mut Recents,
    shown: Option<&Base>,
    selection: &Selection,
) -> Option<Target> {
    // A page can't read other servers' lists.
    let is_listed = |target: &Target| match target {
        Target::Server(base) => cfg!(not(target_arch = "wasm32")) && Some(base) != shown,
        _ => true,
    };
    let listed: Vec<(Recent, Target)> = recents
        .iter()
        .filter_map(|recent| Some((recent.clone(), recent.target().filter(is_listed)?)))
        .collect();
    if listed.is_empty() {
        return None;
    }
    heading(ui, "Recent", listed.len(), listed.len());
    let mut wanted = None;
    let layout = ScreenLayout::of(ui.ctx());
    for (recent, target) in listed {
        let (name, place) = words(&recent, &target);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let side = layout.control(ROW);
            let room = vec2(ui.available_width() - side - 4.0, side);
            if ui.allocate_ui(room, |ui| row(ui, &target, &name, &place, selection)).inner {
                wanted = Some(target.clone());
            }
            let forget = IconButton::plain(Icon::Close, &format!("Remove {name} from this list"));
            if ui.add(forget).clicked() {
                recents.forget(&recent.target);
            }
        });
    }
    ui.add_space(12.0);
    wanted
}

/// Name of an entry, and its address unless that is the same.
fn words(recent: &Recent, target: &Target) -> (String, String) {
    let file = |path: &std::path::Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match (recent.title.as_str(), target) {
        ("", Target::File(path) | Target::Folder(path)) => {
            (file(path), path.parent().map(|folder| folder.display().to_string()).unwrap_or_default())
        }
        ("", target) => (target.to_string(), String::new()),
        (title, target) => (title.to_owned(), target.to_string()),
    }
}

fn row(ui: &mut Ui, target: &Target, name: &str, place: &str, selection: &Selection) -> bool {
    let palette = Palette::of(ui.ctx());
    let response = card(
        ui,
        ScreenLayout::of(ui.ctx()).control(ROW),
        &format!("{name} {place}"),
        selection.contains(target),
    );
    let (rect, pressed) = (response.rect, response.clicked());
    let icon = match target {
        Target::Server(_) => Icon::List,
        #[cfg(not(target_arch = "wasm32"))]
        Target::Folder(_) => Icon::Folder,
        _ => Icon::File,
    };
    icons::paint(ui.painter(), icon, icons::square(rect.left_center() + vec2(22.0, 0.0), 16.0), palette.weak);
    let at = rect.left_center() + vec2(42.0, 0.0);
    let room = rect.right() - 10.0 - at.x;
    let font = FontId::proportional(BODY);
    let wide = paint_left(ui.painter(), at, name, font, palette.text, room) + 12.0;
    let (at, room) = (at + vec2(wide, 0.0), room - wide);
    let font = FontId::proportional(SMALL);
    let fits = |text: &str| {
        let galley = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), palette.weak);
        galley.size().x <= room
    };
    let shown = ending(place, fits);
    if room > 30.0 {
        paint_left(ui.painter(), at, &shown, font.clone(), palette.weak, room);
    }
    if room <= 30.0 || shown != place {
        response.on_hover_text(format!("{name}\n{place}"));
    }
    pressed
}

/// The address, or the longest end of it that fits, which tells more than its beginning.
fn ending(place: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(place) {
        return place.to_owned();
    }
    let mut ends = place.match_indices(['/', '\\']).skip(1).map(|(at, _)| format!("…{}", &place[at..]));
    ends.find(|end| fits(end)).unwrap_or_else(|| place.to_owned())
}

#[cfg(test)]
mod tests {
    use super::ending;

    #[test]
    fn a_long_address_keeps_its_end() {
        let place = "/home/ada/recordings/2026/night/a1.replay";
        let shown = |letters: usize| ending(place, |text| text.chars().count() <= letters);
        assert_eq!(shown(60), place);
        assert_eq!(shown(24), "…/2026/night/a1.replay");
        assert_eq!(shown(12), "…/a1.replay");
        // Too narrow for any end: the painter cuts it.
        assert_eq!(shown(5), place);
        assert_eq!(ending("", |_| false), "");
    }
}
