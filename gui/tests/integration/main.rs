//! Integration tests of the spectator, one module for each subject.

mod board;
mod commands;
mod compare;
mod encrypted;
mod export;
mod finale;
mod first_start;
mod games;
mod habits;
mod history;
mod inspect;
mod live;
mod moves;
mod playing;
mod program;
mod review;
mod seats;
mod sound;
mod spoilers;
mod states;
mod support;
mod timeline;
mod tournament;
mod turns;
mod wall;
mod words;
