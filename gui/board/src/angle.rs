//! Angles, computed the same on every machine, so that exported pictures are equal to the byte.

use egui::{Vec2, vec2};

/// Direction of an angle in radians, clockwise from the right.
pub(crate) fn angled(angle: f32) -> Vec2 {
    vec2(libm::cosf(angle), libm::sinf(angle))
}
