//! Search for directors, as a worker does it, for `grandstand doctor`.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;

use super::super::wire::decode;
use super::{FIND, Found};
use crate::nats::connection::{Link, chain};
use crate::nats::findings::Findings;
use crate::nats::objects::Objects;
use crate::nats::{PROGRAMS, RESULTS};

/// Time for which answers are waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// Greatest number of directors that are told.
const DIRECTORS: usize = 64;

/// Tells of the directors, and whether the object stores can be read.
pub(crate) async fn about_directors(link: &Link, found: &mut Findings) {
    for bucket in [PROGRAMS, RESULTS] {
        // A store that is not there was told of as a stream.
        if link.jetstream.get_object_store(bucket).await.is_ok()
            && let Err(error) = Objects::new(link.clone(), bucket).get("doctor", 0).await
        {
            found.bad(format!("{error}: the permissions of this user may not allow to read it"));
        }
    }
    let inbox = link.client.new_inbox();
    let asked = match link.client.subscribe(inbox.clone()).await {
        Ok(answers) => link
            .client
            .publish_with_reply(FIND, inbox, "".into())
            .await
            .map(|()| answers)
            .map_err(|error| chain(&error)),
        Err(error) => Err(chain(&error)),
    };
    let answers = match asked {
        Ok(answers) => answers,
        Err(why) => return found.bad(format!("the directors: {why}")),
    };
    let (mut answers, until, began) =
        (answers.take(DIRECTORS), tokio::time::Instant::now() + PATIENCE, Instant::now());
    let mut count = 0;
    while let Ok(Some(answer)) = tokio::time::timeout_at(until, answers.next()).await {
        if answer.status.is_some() {
            // NATS says that nobody is subscribed.
            break;
        }
        match decode::<Found>(&answer.payload) {
            Ok(director) => {
                count += 1;
                let (name, ms) = (&director.tournament, began.elapsed().as_secs_f64() * 1e3);
                match director.version.refusal() {
                    None => found.good(format!("the director of {name} is here, and answers in {ms:.1} ms")),
                    Some(_) => found.bad(format!(
                        "the director of {name} is grandstand {}: workers must be of the same version",
                        director.version.version
                    )),
                }
            }
            Err(_) => found.doubtful("a director is here whose tournament is over, or of another version"),
        }
    }
    if count == 0 {
        found.doubtful("no director hands games out here: start one by grandstand tournament run --nats");
    }
}
