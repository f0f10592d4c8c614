//! Words for what has just got the focus, for the page: a canvas is one thing to a screen reader.

use eframe::egui::{PlatformOutput, Role};

/// The control that has just got the focus, was pressed or has changed: `Match: button, selected`; empty if there is none.
pub(crate) fn focus_words(output: &PlatformOutput) -> String {
    let Some(event) = output.events.last() else { return String::new() };
    let mut info = event.widget_info().clone();
    // The state follows as words of its own.
    let selected = info.selected.filter(|_| info.role != Role::CheckBox);
    if selected.is_some() {
        info.selected = None;
    }
    let value = info.value.take();
    let mut words = info.description();
    if selected == Some(true) {
        words += ", selected";
    }
    if let Some(value) = value {
        words += &format!(", {}", (value * 10.0).round() / 10.0);
    }
    words
}

#[cfg(test)]
mod tests {
    use eframe::egui::WidgetInfo;
    use eframe::egui::output::OutputEvent;

    use super::*;

    fn told(info: WidgetInfo) -> String {
        let output =
            PlatformOutput { events: vec![OutputEvent::FocusGained(info)], ..PlatformOutput::default() };
        focus_words(&output)
    }

    #[test]
    fn states_and_values_are_words_of_their_own() {
        assert_eq!(told(WidgetInfo::labeled(Role::Button, true, "Copy")), "Copy: button");
        assert_eq!(told(WidgetInfo::selected(Role::Button, true, true, "Match")), "Match: button, selected");
        assert_eq!(told(WidgetInfo::selected(Role::Button, true, false, "Talk")), "Talk: button");
        assert_eq!(told(WidgetInfo::slider(true, 29.133_826, "Timeline")), "Timeline: slider, 29.1");
        assert_eq!(focus_words(&PlatformOutput::default()), "");
    }
}
