//! Responses of `serve --tournament`.

use grandstand_testing::Serve;
use grandstand_testing::http::get;

use super::Cup;
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
    assert!(page.body.contains("<th aria-sort=\"ascending\"><a href=\"?sort=name\">"), "{}", page.body);
    assert!(ask("/tournament/?sort=wins").body.contains(" aria-sort=\"descending\"><a href=\"?sort=wins\">"));
    assert!(page.head.contains("default-src 'none'"), "{}", page.head);
    assert!(page.body.contains("=&lt;b&gt;|[x](y)"), "{}", page.body);
    assert!(ask("/tournament/player-1.html").body.contains("<h1>random</h1>"));
    let recording = ask("/tournament/recordings/0.replay");
    assert!(recording.body.starts_with("{\"grandstand\":1,\"game\":\"gomoku\""), "{}", recording.body);

    let report = ask("/api/tournament").json();
    assert_eq!((&report["over"], &report["counted"]), (&true.into(), &2.into()));
    assert_eq!(ask("/api/tournament/games?from=1&limit=5").json()[0]["number"], 1);
    assert_eq!(ask("/api/tournament/players/2").json()["player"]["name"], "=<b>|[x](y)");
    // The tournament is over, so the request does not wait for changes.
    let state = ask("/api/tournament/changes?after=1").json();
    assert_eq!(state["revision"], report["revision"]);
    let told = |name: &str| state[name].to_string();
    let told = ["game", "players", "counted", "planned", "leader"].map(told);
    let leader = report["ranking"][0]["player"].to_string();
    assert_eq!(told, ["\"gomoku\"", "2", "2", "2", leader.as_str()]);

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

/// A server that shows the tournament of a cup.
fn shown(cup: &Cup) -> Serve {
    let mut command = grandstand();
    command.args(["serve", "--no-data", "--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0", "--tournament"]);
    Serve::launch(command.arg(cup.0.path().join("cup.db")))
}

/// A Swiss stage followed by an elimination, whose pairings depend on results.
fn knock_out() -> Cup {
    let cup = Cup::new(
        "name = \"Cup\"\ngame = \"gomoku\"\nseed = 7\n\
         players = [\"random\", \"stupid\", \"search:nodes=20\", \"search:nodes=60\"]\n\
         [settings]\nSIZE = 9\n\
         [[stage]]\nname = \"Open\"\nformat = \"swiss\"\nrounds = 2\ngames = 2\nadvance = 2\n\
         [[stage]]\nname = \"Finals\"\nformat = \"single-elimination\"\nbest_of = 3\n",
    );
    cup.told(&["run", "cup.toml", "--jobs", "1"]);
    cup
}

#[test]
fn without_spoilers_no_page_and_no_json_tells_a_result() {
    let cup = knock_out();
    let server = shown(&cup);
    let address = server.http.to_string();
    let ask = |path: &str| get(&address, path);
    let report = ask("/api/tournament").json();
    let last = &report["stages"][1]["rounds"][0]["encounters"][0]["players"];
    let pair = |encounter: &serde_json::Value| encounter["players"] == *last;
    for path in
        ["/tournament/", "/tournament/index.html", "/tournament/games.html", "/tournament/player-1.html"]
    {
        let page = ask(&format!("{path}?spoilers=hide"));
        assert_eq!(page.status, 200, "{path}");
        let told = [
            "won",
            "lost",
            "drawn",
            "Over after",
            "counted",
            "1-0",
            "0-1",
            "½",
            "Elo",
            "five",
            "seed",
            "Finals",
        ];
        // The style sheet has class names for wins and losses.
        let text = page.body.split("</style>").nth(1).unwrap();
        for word in told {
            assert!(!text.contains(word), "{path} tells {word}: {text}");
        }
        // Every link keeps results hidden, except the one that shows them.
        for link in page.body.split("href=\"").skip(1) {
            let shows = link.contains("Show all results");
            let link = link.split('"').next().unwrap();
            let hides = link.contains("spoilers=hide") || link.starts_with("recordings/");
            assert!(hides != shows || (shows && !link.contains('?')), "{path}: {link}");
        }
    }
    let hidden = ask("/api/tournament?spoilers=hide").json();
    assert_eq!(hidden["stages"][0]["rounds"].as_array().unwrap().len(), 1);
    assert_eq!(hidden["stages"][1]["rounds"].as_array().unwrap().len(), 0);
    for field in ["over", "counted", "remaining", "seed", "revision", "ranking", "notices", "wall_ms"] {
        assert!(hidden[field].is_null(), "{field}");
    }
    // A final that may need two pairs lists all four games, however many were needed.
    let known = ask("/api/tournament?spoilers=hide&rounds=3").json();
    let last = &known["stages"][1]["rounds"][0]["encounters"][0];
    assert!(pair(last));
    let most = &report["stages"][1]["rounds"][0]["encounters"][0]["most_games"];
    assert_eq!(last["games"].as_array().unwrap().len() as u64, most.as_u64().unwrap());
    for path in ["games", "ratings", "players/1", "changes"] {
        assert_eq!(ask(&format!("/api/tournament/{path}?spoilers=hide")).status, 400, "{path}");
    }
    assert_eq!(ask("/tournament/?spoilers=some").status, 400);
}

#[test]
fn games_are_chosen_and_ratings_have_a_history() {
    let cup = knock_out();
    let server = shown(&cup);
    let address = server.http.to_string();
    let list = |query: &str| {
        let answer = get(&address, &format!("/api/tournament/games?limit=1000&{query}"));
        assert_eq!(answer.status, 200, "{query}: {}", answer.body);
        answer.json().as_array().unwrap().clone()
    };
    let all = list("");
    let of = |player: &str| all.iter().filter(|game| game["players"].to_string().contains(player)).count();
    assert!(list("player=3").len() == of("\"search:nodes=20\"") && of("\"search:nodes=20\"") > 0);
    let parts = ["won", "lost", "drawn"].map(|result| list(&format!("player=3&result={result}")).len());
    assert_eq!(parts.iter().sum::<usize>(), list("player=3").len(), "{parts:?}");
    let opponents = [1, 2, 4].map(|opponent| list(&format!("player=3&opponent={opponent}")).len());
    assert_eq!(opponents.iter().sum::<usize>(), list("player=3").len());
    assert_eq!(list("stage=1").len() + list("stage=2").len(), all.len());
    assert_eq!(list("numbers=1,0").len(), 2);

    let page = get(&address, "/tournament/games.html?player=3&opponent=&stage=1&result=");
    assert_eq!(page.body.matches("<tr id=").count(), list("player=3&stage=1").len());
    assert!(page.body.contains("<option value=\"3\" selected>search:nodes=20</option>"), "{}", page.body);

    let ratings = get(&address, "/api/tournament/ratings?stage=1").json();
    let points = ratings[0]["points"].as_array().unwrap();
    let report = get(&address, "/api/tournament").json();
    let best = &ratings[0]["players"][0];
    let standings = report["stages"][0]["standings"].as_array().unwrap();
    let line = standings.iter().find(|line| line["player"] == *best).unwrap();
    assert_eq!(points.last().unwrap()["elo"][0], line["rating"]["elo"]);
    assert!(get(&address, "/tournament/").body.contains("Ratings over time"));

    for (path, status) in [
        ("/api/tournament/games?result=won", 400),
        ("/api/tournament/games?result=luck", 400),
        ("/api/tournament/games?player=9", 404),
        ("/api/tournament/games?numbers=1,x", 400),
        ("/tournament/games.html?stage=7", 404),
    ] {
        assert_eq!(get(&address, path).status, status, "{path}");
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
