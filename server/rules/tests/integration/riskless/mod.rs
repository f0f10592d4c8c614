//! Riskless: graphs, maps and rules, in the words of the handout.

mod graph;
mod maps;
mod rules;
