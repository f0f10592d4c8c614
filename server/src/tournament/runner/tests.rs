//! Tests of the runner with results that are made up.

use grandstand_testing::Folder;

use super::super::catalogue::ResultRecord;
use super::super::definition::parse;
use super::*;

struct Silent;

impl Watcher for Silent {
    fn game(&mut self, _: &RunState<'_>, _: &NewResult) {}
    fn notice(&mut self, _: &NoticeLine) {}
    fn progress(&mut self, _: &RunState<'_>, _: &Progress) {}
    fn trouble(&mut self, _: &str) {}
}

#[test]
fn a_result_that_arrives_with_a_reason_to_give_up_is_stored() {
    let folder = Folder::new();
    let file = "game = \"gomoku\"\nseed = 1\nplayers = [\"random\", \"stupid\"]\n[[stage]]\nformat = \"round-robin\"\n";
    let definition = parse("cup.toml", file).unwrap();
    let versions = ["a".to_owned(), "b".to_owned()];
    let mut catalogue =
        Catalogue::create(&folder.join("cup.db"), &definition, folder.path(), &versions).unwrap();
    let snapshot = Snapshot::read(&catalogue).unwrap();
    let game = snapshot.state.clone().next_game().unwrap();
    let result = ResultRecord {
        attempt: 0,
        fault: None,
        winner: Some(0),
        termination: "five".to_owned(),
        reason: None,
        score: None,
        length: None,
        digest: None,
        started: String::new(),
        wall_ms: 1,
        disturbed_ms: None,
        recording_bytes: None,
        inputs: false,
        worker: None,
        speed: None,
    };
    let job = GameAttempt { game: game.clone(), attempt: 0 };
    let ended = NewResult { game, result, versions: [1, 2], recording: None, inputs: None };
    let mut watcher = Silent;
    let ((give, _take), (tell, hear)) = (mpsc::channel(), mpsc::channel());
    let executor = Executor::Local { give, jobs: 1 };
    tell.send(RunEvent::Stuck("a player is gone".to_owned())).unwrap();
    tell.send(RunEvent::Ended(Box::new(ended))).unwrap();
    let packs = Packs::new(catalogue.path());
    let names = ["random".to_owned(), "stupid".to_owned()];
    let mut run = Run::new(&mut catalogue, packs, snapshot, &names, &mut watcher);
    run.in_flight.insert(0, job);
    let error = run.play_on(&executor, &hear, &AtomicBool::new(false)).unwrap_err();
    assert_eq!(error.to_string(), "a player is gone");
    assert_eq!(Snapshot::read(&catalogue).unwrap().state.counted(), 1);
}
