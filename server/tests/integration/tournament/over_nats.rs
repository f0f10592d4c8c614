//! Tournaments whose director and workers speak over a real `nats-server`: all that holds over HTTP, and faults of NATS.

use std::fs;
use std::io::Read as _;

use grandstand_testing::process::Killed;
use grandstand_testing::until;

use super::clocks::{
    killed_it_leaves_pairs_whole, one_long_pair, pairs_are_of_one_worker,
    what_was_not_stored_is_handed_in_again, with_clocks,
};
use super::comparison;
use super::workers::{
    Hall, a_game_ends_three_workers, a_result_counts_once, cut_off_at_the_end,
    killed_they_come_to_the_same_end, outcome, who_does_not_fit_is_refused,
};
use super::{Cup, league};
use crate::nats::support::Nats;
use crate::program::grandstand;

#[test]
#[ignore = "needs nats-server"]
fn workers_and_a_director_that_are_killed_come_to_the_same_end() {
    let nats = Nats::start();
    killed_they_come_to_the_same_end(&Hall::over(&nats, &league(12)));
}

#[test]
#[ignore = "needs nats-server"]
fn a_worker_that_was_cut_off_at_the_end_is_told_by_another_start() {
    let nats = Nats::start();
    cut_off_at_the_end(&Hall::over(&nats, &league(12)));
}

#[test]
#[ignore = "needs nats-server"]
fn a_game_that_ends_three_workers_is_annulled_and_shown() {
    let nats = Nats::start();
    a_game_ends_three_workers(&Hall::over(&nats, &league(2)));
}

#[test]
#[ignore = "needs nats-server"]
fn a_result_counts_once_and_after_its_recording() {
    let nats = Nats::start();
    let _director = a_result_counts_once(&Hall::over(&nats, &league(2)));
    // Nothing of it is left in NATS.
    until("the recording is removed", || stored(&nats, "OBJ_gs_results") == 0);
}

#[test]
#[ignore = "needs nats-server"]
fn who_does_not_fit_is_refused_in_words() {
    let nats = Nats::start();
    let hall = Hall::over(&nats, &league(2));
    let _director = who_does_not_fit_is_refused(&hall);
    assert_eq!(hall.post("other", &serde_json::json!({})).status, 404);
}

#[test]
#[ignore = "needs nats-server"]
fn both_games_of_a_pair_with_clocks_are_played_by_one_worker_though_one_is_killed() {
    let nats = Nats::start();
    pairs_are_of_one_worker(&Hall::over(&nats, &with_clocks(16)));
}

#[test]
#[ignore = "needs nats-server"]
fn a_game_whose_result_a_killed_director_had_not_stored_is_not_played_again() {
    let nats = Nats::start();
    what_was_not_stored_is_handed_in_again(&Hall::over(&nats, &one_long_pair()));
}

#[test]
#[ignore = "needs nats-server"]
fn a_director_that_is_killed_leaves_pairs_whole() {
    let nats = Nats::start();
    killed_it_leaves_pairs_whole(&Hall::over(&nats, &with_clocks(40)));
}

#[test]
#[ignore = "needs nats-server"]
fn a_worker_whose_results_differ_is_set_aside() {
    let nats = Nats::start();
    comparison::a_liar_is_set_aside(|file| Hall::over(&nats, file));
}

/// A league of two programs in CL.
const OF_PROGRAMS: &str = "name = \"Cup\"\ngame = \"abalone\"\nseed = 7\nplayers = [\"bots/*.cl\"]\n\
    [settings]\nGAME_LENGTH = 2000\n[[stage]]\nformat = \"round-robin\"\ngames = 40\n";

/// Puts the programs beside a tournament's file.
fn add_programs(cup: &Cup) {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/abalone");
    let mut bots: Vec<_> = fs::read_dir(shipped).unwrap().map(|entry| entry.unwrap().path()).collect();
    bots.retain(|path| path.extension().is_some_and(|extension| extension == "cl"));
    bots.sort();
    fs::create_dir_all(cup.0.join("bots")).unwrap();
    for bot in &bots[..2] {
        fs::copy(bot, cup.0.join("bots").join(bot.file_name().unwrap())).unwrap();
    }
}

/// A tournament is played with these options for NATS, by a worker where no program lies.
pub(super) fn played(director: &[String], worker: &[String]) {
    let cup = Cup::new(OF_PROGRAMS);
    add_programs(&cup);
    let mut director = cup.command(&["run", "cup.toml"]).args(director).spawn().map(Killed).unwrap();
    let elsewhere = grandstand_testing::Folder::new();
    let mut command = grandstand();
    command.args(["worker", "--jobs", "1", "--once"]).args(worker).current_dir(elsewhere.path());
    let mut worker = command.spawn().map(Killed).unwrap();
    assert_eq!(director.wait().unwrap().code(), Some(0));
    assert_eq!(worker.wait().unwrap().code(), Some(0));
}

/// Number of messages in a stream.
fn stored(nats: &Nats, stream: &str) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let jetstream = async_nats::jetstream::new(async_nats::connect(nats.url()).await.unwrap());
        jetstream.get_stream(stream).await.unwrap().cached_info().state.messages
    })
}

#[test]
#[ignore = "needs nats-server"]
fn a_nats_that_lost_everything_is_filled_again() {
    let file = league(30);
    let alone = Cup::new(&file);
    alone.told(&["run", "cup.toml"]);
    let mut nats = Nats::start();
    let hall = Hall::over(&nats, &file);
    let mut director = hall.director();
    let mut workers = ["red", "blue"].map(|name| hall.worker(name));
    until("games count", || hall.counted() >= 10);
    nats.wipe();
    until("the director notices", || {
        hall.log("director").contains("can't be reached; it is tried again and again")
    });
    until("red notices", || hall.log("red").contains("it is tried again and again"));
    nats.launch();
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    for worker in &mut workers {
        assert_eq!(worker.wait().unwrap().code(), Some(0));
    }
    assert_eq!(outcome(&hall.cup), outcome(&alone));
    // Nobody was lost over it.
    assert!(!hall.log("director").contains("is lost"), "{}", hall.log("director"));
    assert!(hall.log("director").contains("NATS can be used again"), "{}", hall.log("director"));
}

#[test]
#[ignore = "needs nats-server"]
fn programs_are_read_from_the_object_store_and_written_there_again() {
    let mut nats = Nats::start();
    let (hall, alone) = (Hall::over(&nats, OF_PROGRAMS), Cup::new(OF_PROGRAMS));
    [&hall.cup, &alone].into_iter().for_each(add_programs);
    alone.told(&["run", "cup.toml"]);
    let mut director = hall.director();
    hall.ready();
    // A worker where no program lies has two of them.
    let elsewhere = grandstand_testing::Folder::new();
    let url = nats.url();
    let here = |name: &str| {
        let mut command = grandstand();
        command.args(["worker", "--nats", &url, "--jobs", "1", "--once", "--name", name]);
        command.current_dir(elsewhere.path()).stderr(std::process::Stdio::piped());
        Killed(command.spawn().unwrap())
    };
    let first = here("red");
    until("a game counts", || hall.counted() > 0);
    assert!(stored(&nats, "OBJ_gs_programs") >= 4, "two programs, of a chunk and a description each");
    drop(first);
    nats.wipe();
    nats.launch();
    let mut second = here("blue");
    let mut told = String::new();
    second.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(second.wait().unwrap().success(), "{told}");
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert_eq!(outcome(&hall.cup), outcome(&alone));
    assert!(stored(&nats, "OBJ_gs_programs") >= 4);
}

#[test]
#[ignore = "needs nats-server"]
fn a_worker_tells_its_state_over_http() {
    use grandstand_testing::http;

    let nats = Nats::start();
    let hall = Hall::over(&nats, &league(400));
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let director = hall.director();
    let _worker = hall.worker_with("red", &["--http", &free]);
    until("the worker listens", || std::net::TcpStream::connect(&free).is_ok());
    until("it takes part", || http::get(&free, "/readyz").status == 200);
    until("a game counts", || {
        let told = http::get(&free, "/metrics").body;
        told.contains("grandstand_worker_takes_part 1\n")
            && !told.contains("grandstand_worker_counted_total 0\n")
    });
    assert_eq!(http::get(&free, "/api/worker/hello").status, 404);
    drop(director);
    until("it says that it can't reach the director", || hall.log("red").contains("no director is there"));
    until("it takes no part", || http::get(&free, "/readyz").status == 503);
    assert_eq!(http::get(&free, "/healthz").status, 200);
}

/// A director that is killed for good, and another tournament at the same NATS.
#[test]
#[ignore = "needs nats-server"]
fn a_worker_whose_director_is_gone_goes_to_another() {
    let nats = Nats::start();
    let (gone, other) = (Hall::over(&nats, &league(400)), Hall::over(&nats, &league(2)));
    let director = gone.director();
    let mut worker = gone.worker("red");
    until("a game counts", || gone.counted() > 0);
    drop(director);
    let mut director = other.director();
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", other.log("director"));
    assert_eq!(worker.wait().unwrap().code(), Some(0), "{}", gone.log("red"));
}

#[test]
#[ignore = "needs nats-server"]
fn what_is_wrong_with_nats_is_told_in_a_sentence() {
    let hall = Cup::new(&league(2));
    let told = |url: &str| {
        let (status, _, director) = hall.run(&["run", "cup.toml", "--nats", url]);
        assert_eq!(status, 2, "{director}");
        let worker = grandstand().args(["worker", "--nats", url]).output().unwrap();
        assert_eq!(worker.status.code(), Some(2));
        [director, String::from_utf8(worker.stderr).unwrap()]
    };
    for words in told("http://127.0.0.1") {
        assert!(words.contains("is no address of a NATS server"), "{words}");
    }
    let nats = Nats::with(Some("max_payload: 1MB\n"));
    for words in told(&nats.url()) {
        assert!(words.contains("has JetStream off: start it with `nats-server -js`"), "{words}");
    }
    let nats = Nats::with(Some("authorization { user: ann, password: secret }\n"));
    for words in told(&nats.url()) {
        assert!(words.contains("refuses these credentials"), "{words}");
    }
    let store = grandstand_testing::Folder::new();
    let config = format!("jetstream {{ store_dir: \"{}\", max_file: 100MB }}\n", store.path().display());
    let nats = Nats::with(Some(&config));
    let (status, _, words) = hall.run(&["run", "cup.toml", "--nats", &nats.url()]);
    assert_eq!(status, 2, "{words}");
    let room = "has too little storage for the programs, 256 MiB: give JetStream more, or take less with --nats-limit nats-work-mib=N";
    assert!(words.contains(room), "{words}");
}
