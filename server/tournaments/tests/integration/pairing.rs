//! The matching of greatest weight, compared with all possible matchings.

use grandstand_tournaments::pairing::greatest_weight;

use crate::support::Random;

/// The greatest weight, by trying every mate of the first free vertex.
fn by_trying(vertices: usize, weight: &impl Fn(usize, usize) -> i128) -> i128 {
    let mut best = vec![0_i128; 1 << vertices];
    for free in 1..best.len() {
        let first = free.trailing_zeros() as usize;
        let rest = free & (free - 1);
        best[free] = best[rest];
        for other in (first + 1..vertices).filter(|other| rest & (1 << other) != 0) {
            let weight = weight(first, other);
            if weight > 0 {
                best[free] = best[free].max(weight + best[rest & !(1 << other)]);
            }
        }
    }
    best[best.len() - 1]
}

/// The weight of a matching. Asserts that it is one.
fn total(mates: &[Option<usize>], weight: &impl Fn(usize, usize) -> i128) -> i128 {
    let mut total = 0;
    for (vertex, mate) in mates.iter().enumerate() {
        let Some(mate) = *mate else { continue };
        assert_eq!(mates[mate], Some(vertex), "matched from both ends");
        if vertex < mate {
            assert!(weight(vertex, mate) > 0, "matched without an edge");
            total += weight(vertex, mate);
        }
    }
    total
}

#[test]
fn on_small_graphs_no_matching_has_more_weight() {
    let mut random = Random(1);
    for case in 0..6000 {
        let vertices = random.below(11);
        let (edges, most) = (10 + random.below(90), [2, 5, 30, 1_000_000][case % 4]);
        let mut weights = vec![vec![0_i128; vertices]; vertices];
        for row in &mut weights {
            for weight in row {
                if random.below(100) < edges {
                    *weight = random.below(most) as i128;
                }
            }
        }
        let weight = |a: usize, b: usize| weights[a][b];
        let found = total(&greatest_weight(vertices, weight), &weight);
        assert_eq!(found, by_trying(vertices, &weight), "{weights:?}");
    }
}

#[test]
fn odd_circles_within_odd_circles_are_contracted_and_expanded() {
    // In sparse graphs of few different weights blossoms are nested.
    let mut random = Random(2);
    for _ in 0..400 {
        let vertices = 12 + random.below(4);
        let mut weights = vec![vec![0_i128; vertices]; vertices];
        for vertex in 0..vertices {
            weights[vertex.min((vertex + 1) % vertices)][vertex.max((vertex + 1) % vertices)] = 8;
            let (a, b) = (random.below(vertices), random.below(vertices));
            weights[a.min(b)][a.max(b)] = 5 + random.below(6) as i128;
        }
        let weight = |a: usize, b: usize| if a == b { 0 } else { weights[a][b] };
        let found = total(&greatest_weight(vertices, weight), &weight);
        assert_eq!(found, by_trying(vertices, &weight), "{weights:?}");
    }
}
