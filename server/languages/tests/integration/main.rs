//! The tests of the languages: one program, one module a subject.

mod bad_programs;
mod botlib;
mod drafts;
mod engines;
mod golden;
mod language;
mod libraries;
mod limits;
mod rcl;
mod slips;
mod support;
mod worlds;
