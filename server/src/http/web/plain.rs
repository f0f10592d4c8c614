//! Page without script that lists the matches: for browsers that can't show the spectator, and for a server built
//! without it.

use bytes::Bytes;
use grandstand_protocol::Scene;
use grandstand_protocol::message::{MatchState, MatchSummary};
use grandstand_story::{Side, format, sides};
use hyper::{Response, StatusCode};

use super::super::response::respond;
use super::reply::secure;
use crate::html::escaped;

/// Content security policy: no script, inline style only.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// The page. `matches` is a page of the list, newest first; `older` tells whether there are more.
pub(crate) fn plain(matches: &[MatchSummary], older: bool, with_spectator: bool) -> Response<Bytes> {
    let page = write(matches, older, with_spectator);
    let mut response = respond(StatusCode::OK, "text/html; charset=utf-8", page.into());
    secure(response.headers_mut(), POLICY);
    response
}

fn write(matches: &[MatchSummary], older: bool, with_spectator: bool) -> String {
    let mut page = String::with_capacity(4096 + matches.len() * 512);
    page.push_str(include_str!("plain.html"));
    if with_spectator {
        page.push_str("<p>The <a href=\"./\">spectator</a> shows these matches as pictures.</p>\n");
    } else {
        page.push_str(
            "<p class=\"notice\">This server was built without the web spectator. Whoever runs it gets it with \
             <code>cargo xtask web</code>, and by building the server again.</p>\n",
        );
    }
    page.push_str(
        "<p>To watch in a window: <code>grandstand watch ADDRESS</code>, where ADDRESS is the one of this page. \
         A recording opens with <code>grandstand watch FILE</code>.</p>\n",
    );
    if matches.is_empty() {
        page.push_str("<p>No match yet. One begins with <code>grandstand play</code>, or with the first line that a game server sends.</p>\n");
    } else {
        page.push_str(
            "<table>\n<thead><tr><th>Match<th>Game<th>State<th>Started<th class=\"number\">Commands<th class=\"number\">Watching<th>Recording</thead>\n<tbody>\n",
        );
        let live_first = |state: &MatchState| *state != MatchState::Live;
        let mut rows: Vec<&MatchSummary> = matches.iter().collect();
        rows.sort_by_key(|summary| live_first(&summary.state));
        for summary in rows {
            row(&mut page, summary, with_spectator);
        }
        page.push_str("</tbody>\n</table>\n");
        if let Some(oldest) = matches.last().filter(|_| older) {
            page.push_str(&format!("<p><a href=\"plain?before={}\">Older matches</a></p>\n", oldest.id));
        }
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn row(page: &mut String, summary: &MatchSummary, with_spectator: bool) {
    let id = &summary.id;
    let name = escaped(&name(summary));
    let name = if with_spectator { format!("<a href=\"./?match={id}\">{name}</a>") } else { name };
    let state = match (summary.state, &summary.result) {
        (MatchState::Live, _) => "<strong>live</strong>".to_owned(),
        (MatchState::Interrupted, _) => "interrupted".to_owned(),
        (MatchState::Finished, None) => "finished".to_owned(),
        (MatchState::Finished, Some(result)) => escaped(&format::result_sentence(result, &teams(summary))),
    };
    let started = &*summary.started;
    let when = format::started(started);
    page.push_str(&format!(
        "<tr><td>{name}<td>{}<td>{state}<td><time datetime=\"{}\">{}</time><td class=\"number\">{}<td class=\"number\">{}\
         <td><a href=\"api/matches/{id}/replay\">download</a>\n",
        summary.game,
        escaped(started),
        escaped(&when),
        summary.seq,
        summary.spectators,
    ));
}

/// Title or teams, or the id if neither is known.
fn name(summary: &MatchSummary) -> String {
    if summary.title.is_empty() && summary.teams.is_empty() {
        return summary.id.to_string();
    }
    format::match_name(&summary.title, &teams(summary))
}

fn teams(summary: &MatchSummary) -> Vec<Side> {
    sides(&Scene::new(summary.game), &summary.teams)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(json: serde_json::Value) -> MatchSummary {
        let mut whole = serde_json::json!({
            "id": "A1", "game": "abalone", "title": "", "teams": [], "state": "finished",
            "started": "2026-11-21T10:33:23.5Z", "seq": 7, "spectators": 0, "result": null,
        });
        let (serde_json::Value::Object(whole), serde_json::Value::Object(json)) = (&mut whole, json) else {
            unreachable!()
        };
        whole.extend(json);
        serde_json::from_value(serde_json::Value::Object(whole.clone())).unwrap()
    }

    #[test]
    fn what_players_named_themselves_stays_text() {
        let hostile = summary(serde_json::json!({"title": "<script>alert(\"1\")</script> & 'x'"}));
        let page = write(&[hostile], false, true);
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;"));
    }

    #[test]
    fn live_matches_come_first_and_every_row_has_its_recording() {
        let over =
            summary(serde_json::json!({"id": "OVER", "result": {"winner": "black", "termination": "score"}}));
        let live = summary(serde_json::json!({"id": "LIVE", "state": "live", "teams": [
            {"name": "one", "color": "black"}, {"name": "two", "color": "white"}]}));
        let page = write(&[over, live], true, true);
        assert!(page.find("./?match=LIVE").unwrap() < page.find("./?match=OVER").unwrap());
        assert!(page.contains("one – two") && page.contains("Black wins by score"));
        assert!(page.contains("api/matches/OVER/replay") && page.contains("plain?before=LIVE"));
        assert!(page.contains("2026-11-21 10:33"));
    }

    #[test]
    fn without_the_spectator_no_link_is_dead() {
        let page = write(&[summary(serde_json::json!({}))], false, false);
        assert!(page.contains("cargo xtask web") && !page.contains("?match="));
        assert!(write(&[], false, false).contains("No match yet"));
    }
}
