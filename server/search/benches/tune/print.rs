//! The tables of `src/gomoku/fitted/` as text.

use crate::SCALE;
use crate::features::{AT_CAPTURES, AT_FLAGS, AT_TEMPO, CAPTURES, EFFECTS, FLAGS, KINDS, POINTS, SIDE};

/// A unit of the points' values: they count twice.
const POINT: f64 = 2.0 * SCALE;
/// A unit of the order of moves.
const ORDER: f64 = 50.0;

fn whole(weight: f64, unit: f64) -> i32 {
    (weight * unit).round().clamp(-30_000.0, 30_000.0) as i32
}

fn row(weights: &[f64], unit: f64) -> String {
    let numbers: Vec<String> = weights.iter().map(|&weight| whole(weight, unit).to_string()).collect();
    format!("[{}]", numbers.join(", "))
}

/// Prints the weights of both sides as tables.
fn tables(name: &str, weights: &[f64], unit: f64) {
    println!("    {name}_pair: [");
    for side in weights[..POINTS].chunks(SIDE) {
        let rows: Vec<String> = side[..KINDS * KINDS].chunks(KINDS).map(|part| row(part, unit)).collect();
        println!("        [\n            {},\n        ],", rows.join(",\n            "));
    }
    println!("    ],\n    {name}_rest: [");
    for side in weights[..POINTS].chunks(SIDE) {
        println!("        {},", row(&side[KINDS * KINDS..], unit));
    }
    println!("    ],");
}

/// Prints the file of a rule.
pub(crate) fn print(values: &[f64], order: &[f64]) {
    println!("//! Weights that `benches/tune` fitted.\n\nuse super::Fitted;\n");
    println!("pub(super) const FITTED: Fitted = Fitted {{");
    tables("value", values, POINT);
    println!("    flags: {},", row(&values[AT_FLAGS..AT_FLAGS + FLAGS], SCALE));
    println!("    captures: {},", row(&values[AT_CAPTURES..AT_CAPTURES + CAPTURES], SCALE));
    println!("    tempo: {},", whole(values[AT_TEMPO], SCALE));
    tables("order", order, ORDER);
    println!("    order_captures: {},\n}};", row(&order[POINTS..POINTS + EFFECTS], ORDER));
}
