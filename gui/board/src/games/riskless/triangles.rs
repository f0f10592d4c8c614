//! Triangulation of outlines; egui fills only convex ones.

use egui::{Pos2, Vec2};

/// Triangles of a simple polygon as indices of its corners, by ear clipping.
pub(super) fn triangles(points: &[Pos2]) -> Vec<[u32; 3]> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    if area(points) < 0.0 {
        left.reverse();
    }
    let mut triangles = Vec::with_capacity(points.len());
    let mut at = 0;
    // Number of consecutive corners that are no ears.
    let mut missed = 0;
    while left.len() >= 3 {
        let count = left.len();
        let corner = |n: usize| left[n % count];
        let ear = [corner(at + count - 1), corner(at), corner(at + 1)];
        // Outlines that touch or cross themselves may have no ear; then any corner is cut off.
        if missed > count || is_ear(points, &left, ear) {
            triangles.push(ear.map(|n| n as u32));
            left.remove(at % count);
            missed = 0;
            // Skips the next corner, which avoids fans of thin triangles.
            at = if left.is_empty() { 0 } else { (at + 1) % left.len() };
        } else {
            at = (at + 1) % count;
            missed += 1;
        }
    }
    triangles
}

/// Twice the area; positive for corners that go clockwise on the screen.
pub(super) fn area(points: &[Pos2]) -> f32 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| a.x * b.y - b.x * a.y).sum()
}

fn cross(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}

fn is_ear(points: &[Pos2], left: &[usize], ear: [usize; 3]) -> bool {
    let [a, b, c] = ear.map(|n| points[n]);
    if cross(b - a, c - b) <= 0.0 {
        return false;
    }
    let inside = |p: Pos2| {
        p != a
            && p != b
            && p != c
            && cross(b - a, p - a) >= 0.0
            && cross(c - b, p - b) >= 0.0
            && cross(a - c, p - c) >= 0.0
    };
    !left.iter().any(|n| !ear.contains(n) && inside(points[*n]))
}

#[cfg(test)]
mod tests {
    use egui::pos2;
    use proptest::prelude::*;

    use super::*;
    use crate::angle::angled;

    fn filled(points: &[Pos2]) -> f32 {
        let triangle = |ear: [u32; 3]| area(&ear.map(|n| points[n as usize])).abs();
        triangles(points).into_iter().map(triangle).sum()
    }

    #[test]
    fn an_outline_with_a_dent_is_filled_without_it() {
        let dented = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)].map(|(x, y)| pos2(x, y));
        assert_eq!(triangles(&dented).len(), 3);
        assert!((filled(&dented) - area(&dented)).abs() < 1e-4);
    }

    proptest! {
        #[test]
        fn any_star_is_filled_exactly(far in prop::collection::vec(1.0_f32..9.0, 3..60), backwards: bool) {
            let turn = std::f32::consts::TAU / far.len() as f32;
            let mut points: Vec<Pos2> =
                far.iter().enumerate().map(|(n, far)| Pos2::ZERO + angled(turn * n as f32) * *far).collect();
            if backwards {
                points.reverse();
            }
            prop_assert_eq!(triangles(&points).len(), points.len() - 2);
            prop_assert!((filled(&points) - area(&points).abs()).abs() < 0.01 * area(&points).abs());
        }

        #[test]
        fn any_points_end_in_triangles(points in prop::collection::vec((0_u8..6, 0_u8..6), 0..40)) {
            let points: Vec<Pos2> = points.into_iter().map(|(x, y)| pos2(f32::from(x), f32::from(y))).collect();
            prop_assert_eq!(triangles(&points).len(), points.len().saturating_sub(2));
        }
    }
}
