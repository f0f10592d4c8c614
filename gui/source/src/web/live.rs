//! Live match over a browser's websocket, resumed by `since` whenever the connection breaks.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc::channel;

use js_sys::Promise;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{MessageEvent, WebSocket};

use super::{Control, Shared, fetch};
use crate::errors::SourceError;
use crate::follow::{Disconnect, Follower};
use crate::{Connection, Feed, Update, Wake};

/// Follows a match on a task of its own.
pub(crate) fn follow(follower: Follower, wake: Wake) -> Feed {
    let (sender, updates) = channel();
    let control = Control::spawn(async move |shared: Rc<Shared>| {
        let follower = Rc::new(RefCell::new(follower));
        let tell = Rc::new(move |update| {
            let _ = sender.send(update);
            wake();
        });
        loop {
            tell(Update::Connection(Connection::Connecting));
            let ended = connect(&shared, &follower, &tell).await;
            let next = follower.borrow_mut().after(ended, |update| tell(update));
            let Some(pause) = next else { return };
            if !shared.pause(pause).await {
                return;
            }
        }
    });
    Feed { updates, control }
}

/// Runs one connection to its end.
async fn connect(
    shared: &Rc<Shared>,
    follower: &Rc<RefCell<Follower>>,
    tell: &Rc<impl Fn(Update) + 'static>,
) -> Disconnect {
    let address = follower.borrow().address();
    let Ok(socket) = WebSocket::new(&address) else {
        let base = follower.borrow().base.clone();
        return Disconnect::Broken(SourceError::not_a_server(&base, "the browser refuses the address"));
    };
    // The reason for the end, and whether anything arrived.
    let outcome: Rc<RefCell<(Option<Disconnect>, bool)>> = Rc::default();
    let on_message = {
        let (follower, tell, outcome) = (Rc::clone(follower), Rc::clone(tell), Rc::clone(&outcome));
        let socket = socket.clone();
        Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let Some(text) = event.data().as_string() else { return };
            outcome.borrow_mut().1 = true;
            if let Err(ended) = follower.borrow_mut().take(&text, |update| tell(update)) {
                outcome.borrow_mut().0.get_or_insert(ended);
                let _ = socket.close();
            }
        })
    };
    socket.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    let closed = Promise::new(&mut |resolve, _| {
        socket.set_onclose(Some(&resolve));
        *shared.end_wait.borrow_mut() = Some(resolve);
    });
    let goes_on = shared.wait_for(closed).await;
    socket.set_onmessage(None);
    socket.set_onclose(None);
    let _ = socket.close();
    let (ended, greeted) = outcome.take();
    if !goes_on {
        return Disconnect::Stopped;
    }
    if let Some(ended) = ended {
        return ended;
    }
    if greeted {
        let base = &follower.borrow().base;
        return Disconnect::Broken(SourceError::connection_lost(base, "the connection closed"));
    }
    why_refused(follower).await
}

/// Finds out why a websocket was refused, which a browser does not report, by requesting the match.
async fn why_refused(follower: &RefCell<Follower>) -> Disconnect {
    let (base, id) = {
        let follower = follower.borrow();
        (follower.base.clone(), follower.id.clone())
    };
    match fetch(&base.http(&format!("api/matches/{id}"))).await {
        Err(reason) => Disconnect::Broken(SourceError::unreachable(&base, &reason)),
        // The match exists, so the requested position was refused.
        Ok(response) if response.ok() => {
            let ended = follower.borrow().refused(400);
            match ended {
                Disconnect::Ahead => ended,
                _ => Disconnect::Broken(SourceError::no_websocket(&base)),
            }
        }
        Ok(response) => follower.borrow().refused(response.status()),
    }
}
