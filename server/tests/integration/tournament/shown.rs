//! What `serve --tournament` answers.

use grandstand_testing::Serve;
use grandstand_testing::http::get;

use super::export::played;
use crate::program::grandstand;

#[test]
fn a_tournament_is_served_as_pages_json_and_recordings() {
    let cup = played();
    let mut command = grandstand();
    command.args(["serve", "--no-data", "--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0", "--tournament"]);
    let server = Serve::launch(command.arg(cup.0.path().join("cup.db")));
    let address = server.http.to_string();
    let ask = |path: &str| get(&address, path);

    let page = ask("/tournament/?sort=name");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("default-src 'none'"), "{}", page.head);
    assert!(page.body.contains("=&lt;b&gt;|[x](y)"), "{}", page.body);
    assert!(ask("/tournament/player-1.html").body.contains("<h1>random</h1>"));
    let recording = ask("/tournament/recordings/0.replay");
    assert!(recording.body.starts_with("{\"grandstand\":1,\"game\":\"gomoku\""), "{}", recording.body);

    let report = ask("/api/tournament").json();
    assert_eq!((&report["over"], &report["counted"]), (&true.into(), &2.into()));
    assert_eq!(ask("/api/tournament/games?from=1&limit=5").json()[0]["number"], 1);
    assert_eq!(ask("/api/tournament/players/2").json()["player"]["name"], "=<b>|[x](y)");
    // Nothing will change any more, so that nobody is kept waiting.
    assert_eq!(ask("/api/tournament/changes?after=1").json()["revision"], report["revision"]);

    for (path, status) in [
        ("/tournament/?sort=luck", 400),
        ("/tournament/player-0.html", 404),
        ("/tournament/player-3.html", 404),
        ("/tournament/recordings/7.replay", 404),
        ("/tournament/recordings/../cup.toml", 404),
        ("/api/tournament/players/99999999999999999999", 404),
        ("/api/tournament/games?limit=x", 400),
    ] {
        assert_eq!(ask(path).status, status, "{path}");
    }
}

#[test]
fn without_a_tournament_its_addresses_say_how_one_is_shown() {
    let mut command = grandstand();
    command.args(["serve", "--no-data", "--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0"]);
    let server = Serve::launch(&mut command);
    let answer = get(&server.http.to_string(), "/tournament/");
    assert_eq!(answer.status, 404);
    assert!(answer.body.contains("--tournament FILE.db"), "{}", answer.body);
}
