//! The tests of the languages: one program, one module a subject.

mod bad_programs;
mod botlib;
mod drafts;
mod engines;
mod golden;
mod language;
mod libraries;
mod limits;
mod mistakes;
mod rcl;
mod support;
mod worlds;
