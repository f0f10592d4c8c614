//! Owners of programs: what of a recording a token opens, and that nothing else is told at any address.

use std::path::PathBuf;

use grandstand::Owners;
use grandstand_testing::Folder;
use grandstand_testing::http::get_request;
use serde_json::{Value, json};

use super::support::TestServer;

const ID: &str = "01JQ0000000000000000000000";
const RAVENS: &str = "ravens-9f3a51c7e0d24b68";
const STAFF: &str = "staff-20c1be77a9835fd4";
/// What the recording has of each program, and of what their bots asked for.
const SECRETS: [&str; 3] = ["the source of Ravens", "the source of Gulls", "770077"];

/// A recording of two programs.
fn recording() -> String {
    let program = |team: &str, name: &str| json!({"team": team, "file": "bot.cl", "sha256": "00", "source": format!("the source of {name}")});
    let header = json!({
        "grandstand": 1, "game": "abalone", "title": "Final", "seed": 7,
        "teams": [{"name": "Ravens", "color": "black"}, {"name": "Gulls", "color": "white"}],
        "programs": [program("black", "Ravens"), program("white", "Gulls")],
    });
    let asked = "[0,\"q\",[[5,1,[7,770077]]]]";
    format!(
        "{header}\n[0,\"c\",\"turns 1\"]\n{asked}\n[0.3,\"c\",\"turns 2\"]\n[0,\"e\",{{\"state\":\"finished\",\"seq\":2}}]\n"
    )
}

fn owners(folder: &Folder) -> Owners {
    let path: PathBuf = folder.file("owners.txt", format!("# staff\n* {STAFF}\nRavens {RAVENS}\n"));
    Owners::load(&path).unwrap()
}

fn server() -> TestServer {
    let data = Folder::new();
    let owners = owners(&data);
    std::fs::write(data.path().join(format!("{ID}.replay")), recording()).unwrap();
    TestServer::on(data, |config| config.owners = owners)
}

/// The status and the text of an answer to a request with these header lines.
async fn ask(server: &TestServer, path: &str, lines: &str) -> (u16, String) {
    let request = get_request(&server.http.to_string(), path);
    let request = request.replacen("\r\n", &format!("\r\n{lines}"), 1);
    let (status, head, body) = server.request(&request).await;
    assert!(!head.contains("the source of"), "{head}");
    (status, body)
}

fn told(body: &str) -> [bool; 3] {
    SECRETS.map(|secret| body.contains(secret))
}

#[tokio::test]
async fn a_token_opens_the_programs_of_its_team_and_what_bots_asked_for() {
    let server = server();
    let replay = format!("/api/matches/{ID}/replay");
    for (lines, expected) in [
        (String::new(), [false; 3]),
        (format!("Authorization: Bearer {RAVENS}\r\n"), [true, false, true]),
        (format!("authorization: bearer {STAFF}\r\n"), [true, true, true]),
        // What a proxy asks for is no token.
        ("Authorization: Basic cmF2ZW5zOnNlY3JldA==\r\n".to_owned(), [false; 3]),
    ] {
        let (status, body) = ask(&server, &replay, &lines).await;
        assert_eq!((status, told(&body)), (200, expected), "{lines}{body}");
        assert_eq!(body.matches("turns").count(), 2, "{body}");
    }
    let (status, body) = ask(&server, &replay, "Authorization: Bearer ravens-0000000000000000\r\n").await;
    assert_eq!((status, told(&body)), (403, [false; 3]), "{body}");
    let error: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(error["error"], "no owner of a program has this token");
}

#[tokio::test]
async fn no_other_address_tells_even_an_owner_of_sources_or_requests() {
    let server = server();
    for address in super::contract::addresses(ID) {
        for lines in [
            String::new(),
            format!("Authorization: Bearer {STAFF}\r\n"),
            "Authorization: Bearer \r\n".to_owned(),
        ] {
            let (status, body) = ask(&server, &address, &lines).await;
            let is_owner = lines.contains(STAFF) && address.ends_with("/replay");
            assert_eq!(told(&body), [is_owner; 3], "{address} ({status}) {lines}: {body}");
        }
        // A token in an address would be in logs.
        let mark = if address.contains('?') { '&' } else { '?' };
        for name in ["token", "access_token", "authorization"] {
            let (_, body) = ask(&server, &format!("{address}{mark}{name}={STAFF}"), "").await;
            assert_eq!(told(&body), [false; 3], "{address}: {body}");
        }
    }
}

#[test]
fn the_file_of_tokens_is_checked_at_the_start() {
    let folder = Folder::new();
    let load = |text: &str| Owners::load(&folder.file("wrong.txt", text)).map(|_| ()).unwrap_err();
    let error = format!("{:#}", load("Ravens short\n"));
    assert!(error.contains("wrong.txt") && error.contains("line 1") && !error.contains("short"), "{error}");
    assert!(Owners::load(&folder.path().join("none.txt")).is_err());
}
