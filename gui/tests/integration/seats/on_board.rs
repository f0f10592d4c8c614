//! Moves on the board: by the pointer, by keys and by fingers, and what is told and drawn while one is to move.

use std::sync::mpsc::Sender;

use super::*;

/// A match of Gomoku in which the viewer has taken the seat of black by Enter, and is to move.
fn open_seated() -> (Window, Receiver<(String, Value)>) {
    let (mut app, asked) = open();
    app.key_press(Key::Enter);
    wait_for(&mut app, "Your move: click a point");
    next(&asked);
    (app, asked)
}

#[test]
fn a_press_beside_the_buttons_of_a_card_is_none_on_the_board() {
    let (mut app, _asked) = open();
    let play = app.get_by_label("Play black").rect();
    for beside in [Vec2::new(60.0, -20.0), Vec2::new(-7.0, 4.0)] {
        let at = play.left_top() + beside;
        press(&mut app, at);
        assert!(!shows(&app, "Unpin"), "{app:?}");
    }
}

#[test]
fn a_press_on_the_board_before_anybody_sits_leads_to_the_free_seat() {
    for size in [Vec2::new(800.0, 600.0), Vec2::new(1440.0, 900.0)] {
        let (mut app, asked) = open_sized(&[Listed::Free], size);
        app.run_steps(6);
        assert!(app.query_by_role(Role::Alert).is_none());
        let board = app.get_by_label_contains("Gomoku board").rect();
        press(&mut app, board.center());
        app.run_steps(2);
        let told = app.query_by_role(Role::Alert).and_then(|node| node.accesskit_node().label());
        assert_eq!(told.as_deref(), Some("Take a seat first"));
        assert!(!shows(&app, "Unpin") && asked.try_recv().is_err(), "nothing is pinned, nothing is sent");
    }
}

#[test]
fn the_call_to_take_a_seat_stands_above_the_middle_of_the_board() {
    let (mut app, _asked) = open_sized(&[Listed::Free], Vec2::new(1440.0, 900.0));
    app.run_steps(6);
    let board = app.get_by_label_contains("Gomoku board").rect();
    let play = app.get_by_label("Play black").rect();
    let name = app.get_by_label("Your name, optional").rect();
    assert!(play.bottom() <= board.top() + 4.0, "{play} over {board}");
    let (left, right) = (play.left() - board.left(), board.right() - name.right());
    assert!((left - right).abs() < 160.0, "{play} … {name} above {board}");
}

#[test]
fn arrow_keys_lead_over_the_board_and_enter_plays() {
    let (mut app, asked) = open_seated();
    // The first one shows the cursor in the middle.
    for key in [Key::ArrowRight, Key::ArrowUp, Key::ArrowLeft, Key::ArrowDown, Key::ArrowRight] {
        app.key_press(key);
        app.run_steps(2);
        assert!(shows(&app, "You play black: your move.") && !shows(&app, "Speed 2"), "{key:?}");
    }
    app.key_press(Key::Enter);
    wait_for(&mut app, "You play black: Ann to move.");
    assert_eq!(next(&asked).1["move"], "h8");
    // Nor do they leave the present while the other one thinks.
    app.key_press(Key::ArrowLeft);
    app.run_steps(2);
    assert!(shows(&app, "You play black: Ann to move."));
}

#[test]
fn a_press_on_the_board_out_of_turn_is_answered() {
    let (mut app, asked) = open_seated();
    for key in [Key::ArrowRight, Key::Enter] {
        app.key_press(key);
        app.run_steps(2);
    }
    wait_for(&mut app, "You play black: Ann to move.");
    next(&asked);
    assert!(app.query_by_role(Role::Alert).is_none());
    let board = app.get_by_label_contains("Gomoku board").rect();
    press(&mut app, board.center() + Vec2::splat(60.0));
    app.run_steps(2);
    let told = app.query_by_role(Role::Alert).and_then(|node| node.accesskit_node().label());
    assert_eq!(told.as_deref(), Some("You play black: Ann to move."));
    assert!(asked.try_recv().is_err(), "nothing is sent");
}

#[test]
fn the_call_to_take_a_seat_covers_nothing_of_the_board_on_a_phone() {
    let (mut app, _asked) = open_sized(&[Listed::Free], PHONE);
    app.run_steps(6);
    let play = app.get_by_label("Play black").rect();
    let name = app.get_by_label("Your name, optional").rect();
    assert_eq!(play.center().y, name.center().y, "one row");
    // The board is as wide as high, in the middle of its place.
    let place = app.get_by_label_contains("Gomoku board").rect();
    let top = place.center().y - place.width().min(place.height()) / 2.0;
    assert!(play.bottom() < top, "{play} over the board from {top}");
}

#[test]
fn where_a_key_leads_to_the_board_the_arrow_keys_go_on() {
    let (mut app, asked) = open_seated();
    // On one's turn `y` alone is a letter of a move.
    app.key_press_modifiers(Modifiers::COMMAND, Key::K);
    app.run_steps(3);
    app.event(Event::Text("Pin the place".to_owned()));
    app.run_steps(3);
    app.key_press(Key::Enter);
    app.run_steps(3);
    assert!(shows(&app, "Go to a place with the arrow keys; Enter plays there"));
    for key in [Key::ArrowRight, Key::ArrowRight, Key::ArrowLeft, Key::Enter] {
        app.key_press(key);
        app.run_steps(2);
    }
    assert_eq!(next(&asked).1["move"], "h8");
}

#[test]
fn who_plays_sees_the_clock_as_it_is_at_an_earlier_position_too() {
    let (mut app, _asked) = open_seated();
    app.key_press(Key::Home);
    app.run_steps(3);
    app.key_press(Key::Space);
    app.run_steps(150);
    assert!(shows(&app, "you see an earlier position"));
    assert!(shows(&app, "clock 4:5") && !shows(&app, "clock 5:00"), "{app:?}");
}

/// The middle of the lines of a board of Gomoku: the strips of names lie below and at the left.
fn centre(app: &Window) -> Pos2 {
    app.get_by_label_contains("Gomoku board").rect().center() + Vec2::new(9.0, -9.0)
}

#[test]
fn a_finger_is_told_to_press_again() {
    let (mut app, asked) = open_sized(&[Listed::Free], PHONE);
    app.run_steps(6);
    let sit = app.get_by_label("Play black").rect().center();
    tap(&mut app, sit);
    wait_for(&mut app, "Your move: tap a point");
    next(&asked);
    let h8 = centre(&app);
    tap(&mut app, h8);
    assert!(shows(&app, "Tap h8 again to play"), "{app:?}");
    assert!(asked.try_recv().is_err());
    tap(&mut app, h8);
    wait_for(&mut app, "Ann to move");
    assert_eq!(next(&asked).1["move"], "h8");
}

#[test]
fn a_press_on_the_card_at_the_end_is_none_on_the_board() {
    for size in [PHONE, Vec2::new(500.0, 700.0)] {
        let (mut app, asked) = open_sized(&[Listed::Free], size);
        app.run_steps(6);
        play_and_resign(&mut app, &asked);
        app.run_steps(10);
        let beside = app.get_by_label("Rematch").rect().left_center() - Vec2::new(4.0, 0.0);
        press(&mut app, beside);
        assert!(!shows(&app, "Pinned") && !shows(&app, "Unpin"), "{size}: {app:?}");
        assert!(shows(&app, "Rematch"));
    }
}

/// A match of Riskless in which the viewer has the seat of red and is to move.
fn open_riskless(size: Vec2) -> Window {
    let (mut app, go_on) = open_empty_riskless(size);
    go_on.send(()).expect("it waits");
    click(&mut app, "Play red");
    wait_for(&mut app, "Your move");
    app.run_steps(6);
    app
}

/// A refusal that is longer than the line of a phone.
const NO_ROAD: &str = "no road leads from Western States of the North to Eastern States of the South";

/// The middle of a territory.
fn territory(app: &Window, name: &str) -> Pos2 {
    let place = app
        .get_all_by_role(Role::Image)
        .find(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with(name)));
    place.expect("a territory").rect().center()
}

/// A match of Riskless with a free seat, whose first lines come after a signal of the sender.
fn open_empty_riskless(size: Vec2) -> (Window, Sender<()>) {
    let (go_on, gate) = channel();
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let live: Mutex<Option<WebSocket<TcpStream>>> = Mutex::new(None);
    let seats = |taken: bool| json!([{ "team": "maxie", "taken": taken }, { "team": "minnie", "taken": true, "name": "Ann" }]);
    let paths = server.run(move |_, path, stream| {
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        if path.contains("/live") {
            let mut socket = upgrade(stream);
            let mut hello: Value = serde_json::from_str(&hello(false)).expect("JSON");
            let about = &mut hello["match"];
            (about["game"], about["seats"]) = ("riskless".into(), seats(false));
            about["teams"] =
                json!([{ "name": "person", "color": "red" }, { "name": "Ann", "color": "blue" }]);
            send(&mut socket, &hello.to_string());
            let lines = [
                "map 10 60 Small",
                "territory 0 100 100 North",
                "territory 1 500 500 Middle",
                "territory 2 900 900 South",
                "road 0 1",
                "road 1 2",
                "set 0 maxie 4",
                "set 2 minnie 5",
                "turn maxie",
            ];
            if gate.recv().is_err() {
                return;
            }
            let commands = lines.iter().map(|line| Command::parse(Game::Riskless, line.as_bytes())).collect();
            send(&mut socket, &Message::Commands { seq: 1, t: Micros(1_000_000), commands }.to_json());
            *live = Some(socket);
        } else if path.ends_with("moves") {
            answer(stream, "409 Conflict", &json!({ "error": NO_ROAD }).to_string());
        } else if path.ends_with("seats") {
            answer(stream, "200 OK", r#"{"seat":0,"team":"maxie","token":"00ff"}"#);
            if let Some(socket) = live.as_mut() {
                send(socket, &json!({ "type": "seats", "seats": seats(true) }).to_string());
            }
        }
    });
    std::mem::forget(paths);
    let mut app = window(Some(url.parse().expect("a target")), size);
    wait_for(&mut app, "Play red");
    app.run_steps(4);
    (app, go_on)
}

#[test]
fn the_call_to_take_a_seat_stays_where_it_is_when_the_first_lines_come() {
    for size in [Vec2::new(1440.0, 900.0), PHONE, Vec2::new(800.0, 600.0), Vec2::new(844.0, 390.0)] {
        let (mut app, go_on) = open_empty_riskless(size);
        let (call, waits) = (app.get_by_label("Play red").rect(), "waiting for its first line");
        assert!(shows(&app, waits), "{size}");
        go_on.send(()).expect("it waits");
        wait_for(&mut app, "Line 9 of 9");
        app.run_steps(4);
        assert!(!shows(&app, waits), "{size}");
        assert_eq!(app.get_by_label("Play red").rect(), call, "{size}");
    }
}

#[test]
fn the_frame_of_ones_turn_is_around_all_of_the_map_and_its_totals() {
    for size in [Vec2::new(1440.0, 900.0), PHONE, Vec2::new(800.0, 600.0), Vec2::new(844.0, 390.0)] {
        let app = open_riskless(size);
        let accent = |stroke: Stroke| stroke.width == 2.0 && stroke.color != Color32::TRANSPARENT;
        let shapes = &app.output().shapes;
        let framed = shapes.iter().enumerate().filter_map(|(index, clipped)| match &clipped.shape {
            Shape::Rect(rect) if accent(rect.stroke) && rect.fill == Color32::TRANSPARENT => {
                Some((index, rect.rect, clipped.clip_rect))
            }
            _ => None,
        });
        let framed: Vec<_> = framed.filter(|(_, rect, _)| rect.width() > 200.0).collect();
        let [(index, frame, clip)] = framed[..] else { panic!("{size}: {framed:?}") };
        assert!(clip.contains_rect(frame), "{size}: {frame} is cut by {clip}");
        let totals = shapes.iter().enumerate().filter_map(|(at, clipped)| match &clipped.shape {
            Shape::Text(text) if text.galley.text().contains(" of 60") => {
                Some((at, text.visual_bounding_rect()))
            }
            _ => None,
        });
        let totals: Vec<_> = totals.collect();
        assert_eq!(totals.len(), 2, "{size}");
        for (at, total) in totals {
            assert!(frame.shrink(2.0).contains_rect(total), "{size}: {frame} cuts {total}");
            assert!(index > at, "{size}: the map is painted over the frame");
        }
        for place in ["North", "Middle", "South"] {
            let place = app.get_all_by_role(Role::Image).find(|node| {
                let label = node.accesskit_node().label();
                label.is_some_and(|label| label.starts_with(place))
            });
            let place = place.expect("a territory").rect();
            assert!(frame.contains_rect(place), "{size}: {frame} {place}");
        }
    }
}

#[test]
fn what_a_player_is_told_is_whole_on_a_phone() {
    let mut app = open_riskless(PHONE);
    let told =
        |app: &Window| painted(app).into_iter().filter(|(text, _)| text.contains("our ")).collect::<Vec<_>>();
    assert_eq!(told(&app), [("Your move".to_owned(), false)]);
    assert!(painted(&app).contains(&("Tap a territory of yours".to_owned(), false)), "{:?}", painted(&app));
    assert!(painted(&app).contains(&("You play red".to_owned(), false)), "{:?}", painted(&app));
    let place = |app: &Window, name: &str| {
        let place = app
            .get_all_by_role(Role::Image)
            .find(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with(name)));
        place.expect("a territory").rect().center()
    };
    let (north, middle) = (place(&app, "North"), place(&app, "Middle"));
    tap(&mut app, north);
    assert!(shows(&app, "North: tap its target"), "{app:?}");
    tap(&mut app, middle);
    assert!(shows(&app, "Tap Middle again to play"), "{app:?}");
}

#[test]
fn a_viewer_moves_by_pointing_at_the_board_only_in_the_present() {
    let (mut app, asked) = open();
    click(&mut app, "Play black");
    wait_for(&mut app, "You play black: your move.");
    next(&asked);
    app.key_press(Key::Home);
    app.run_steps(3);
    assert!(shows(&app, "You play black: you see an earlier position."));
    click(&mut app, "Back to live");
    assert!(!shows(&app, "Back to live"));
    wait_for(&mut app, "You play black: your move.");
    let board = app.get_by_label_contains("Gomoku board").rect();
    assert!(board.height() > 400.0, "the seats leave room for the board: {board:?}");
    app.hover_at(board.center());
    app.run_steps(2);
    app.drag_at(board.center());
    app.run_steps(1);
    // `drop_at` would remove the pointer.
    app.event(Event::PointerButton {
        pos: board.center(),
        button: PointerButton::Primary,
        pressed: false,
        modifiers: Modifiers::NONE,
    });
    wait_for(&mut app, "You play black: Ann to move.");
    assert_eq!(next(&asked).1, json!({ "token": "00ff", "ply": 0, "move": "h8" }));
}

/// Match with an opening in which the viewer, in the first seat, answers questions.
fn serve_opening(server: FakeServer) -> Receiver<Value> {
    let (sender, asked) = channel();
    let live: Mutex<Option<WebSocket<TcpStream>>> = Mutex::new(None);
    let seats = |teams: [&str; 2], question: Value| {
        let mut seats = json!([{ "team": teams[0], "taken": true }, { "team": teams[1], "taken": true }]);
        if question.is_object() {
            seats[0]["question"] = question;
        }
        json!({ "type": "seats", "seats": seats }).to_string()
    };
    let paths = server.run(move |_, path, stream| {
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        if path.contains("/live") {
            let mut socket = upgrade(stream);
            send(&mut socket, &hello(false));
            send(&mut socket, &lines(1, &["board 15", "names Ann_A Bo", "turn black"]));
            *live = Some(socket);
            return;
        }
        let Some(socket) = live.as_mut() else { return };
        if path.ends_with("seats") {
            answer(stream, "200 OK", r#"{"seat":0,"team":"black","token":"00ff"}"#);
            let question = json!({ "text": "place three stones", "places": 3 });
            return send(socket, &seats(["black", "white"], question));
        }
        let body = answer(stream, "200 OK", OK);
        let text = body["move"].as_str().expect("a move");
        let stones: Vec<&str> = text.split(' ').collect();
        if let [first, second, third] = stones[..] {
            let moves = [("black", first), ("white", second), ("black", third)];
            let moves = moves.map(|(team, at)| format!("move {team} {at}"));
            send(socket, &lines(4, &[&moves[0], &moves[1], &moves[2], "turn white"]));
            let choices =
                json!([{ "move": "stay", "label": "Keep black" }, { "move": "swap", "label": "Take white" }]);
            let question = json!({ "text": "keep black or take white", "choices": choices });
            send(socket, &seats(["black", "white"], question));
        } else {
            send(socket, &lines(8, &["names Bo Ann_A"]));
            send(socket, &seats(["white", "black"], Value::Null));
        }
        let _ = sender.send(body);
    });
    std::mem::forget(paths);
    asked
}

#[test]
fn an_opening_is_answered_by_pointing_and_by_buttons() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let asked = serve_opening(server);
    let mut app = window(Some(url.parse().expect("a target")), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "Play black");
    // Names on the board take precedence over those of the header.
    assert!(shows(&app, "Ann A") && shows(&app, "Bo"));
    click(&mut app, "Play black");
    wait_for(&mut app, "You play black: place three stones.");
    let board = app.get_by_label_contains("Gomoku board").rect();
    let point = |app: &mut Window, x: f32| {
        let at = board.center() + Vec2::new(x, 0.0);
        app.hover_at(at);
        app.run_steps(2);
        app.drag_at(at);
        app.run_steps(1);
        let modifiers = Modifiers::NONE;
        app.event(Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed: false,
            modifiers,
        });
        app.run_steps(3);
    };
    // One stone is taken back, three stay.
    point(&mut app, 0.0);
    assert!(shows(&app, "You play black: place three stones (1 of 3)."), "{app:?}");
    point(&mut app, 0.0);
    assert!(shows(&app, "You play black: place three stones."));
    for x in [-120.0, 0.0, 120.0] {
        point(&mut app, x);
    }
    let body = asked.recv_timeout(Duration::from_secs(20)).expect("a request");
    let stones: Vec<&str> = body["move"].as_str().expect("a move").split(' ').collect();
    assert_eq!((stones.len(), stones[1]), (3, "h8"), "{body}");
    assert!(stones.iter().all(|stone| stone.ends_with('8')), "{body}");
    assert_eq!((&body["ply"], &body["token"]), (&json!(0), &json!("00ff")));

    // White is to move, but the question goes to black: clicks on the board have no effect, the buttons answer.
    wait_for(&mut app, "You play black: keep black or take white.");
    point(&mut app, 60.0);
    click(&mut app, "Take white");
    let body = asked.recv_timeout(Duration::from_secs(20)).expect("a request");
    assert_eq!(body, json!({ "token": "00ff", "ply": 3, "move": "swap" }));
    wait_for(&mut app, "You play white: your move.");
    assert!(!shows(&app, "Take white"));
}

#[test]
fn space_does_not_lead_a_player_away_from_the_present() {
    let (mut app, _asked) = open_seated();
    for key in [Key::Space, Key::K] {
        app.key_press(key);
        app.run_steps(4);
        assert!(shows(&app, "You play black: your move."), "{key:?}: {app:?}");
    }
    assert!(app.get_by_role_and_label(Role::Button, "Pause").accesskit_node().is_disabled());
}

#[test]
fn enter_takes_the_seat_that_the_bar_calls_to() {
    let (mut app, asked) = open_sized(&[Listed::Free], Vec2::new(844.0, 300.0));
    assert!(shows(&app, "Play against"), "{app:?}");
    app.key_press(Key::Enter);
    wait_for(&mut app, "You play black");
    assert_eq!(next(&asked).1, json!({ "team": "black" }));
}

#[test]
fn the_panel_makes_room_for_who_plays_in_a_small_window_and_comes_back() {
    for size in [PHONE, Vec2::new(800.0, 600.0)] {
        let (mut app, asked) = open_sized(&[Listed::Free], size);
        app.run_steps(6);
        let is_open = |app: &Window| app.query_by_role_and_label(Role::Button, "Protocol").is_some();
        let board = |app: &Window| app.get_by_label_contains("Gomoku board").rect();
        let whole = board(&app);
        click(&mut app, "Side panel on or off");
        app.run_steps(4);
        assert!(is_open(&app) && board(&app).area() < whole.area(), "{size}");
        click(&mut app, "Play black");
        wait_for(&mut app, "You play black");
        next(&asked);
        app.run_steps(4);
        assert!(!is_open(&app), "{size}");
        assert_eq!(board(&app), whole, "{size}");
        // It can be opened meanwhile.
        for open in [true, false] {
            click(&mut app, "Side panel on or off");
            app.run_steps(4);
            assert_eq!(is_open(&app), open, "{size}");
        }
        click(&mut app, "Leave the seat");
        next(&asked);
        wait_for(&mut app, "Play black");
        app.run_steps(4);
        assert!(is_open(&app), "{size}");
    }
}

#[test]
fn what_a_finger_has_aimed_at_is_played_by_the_button_too() {
    let (mut app, asked) = open_sized(&[Listed::Free], PHONE);
    app.run_steps(6);
    click(&mut app, "Play black");
    wait_for(&mut app, "Your move: tap a point");
    next(&asked);
    assert!(app.get_by_role_and_label(Role::Button, "Play").accesskit_node().is_disabled());
    let h8 = centre(&app);
    tap(&mut app, h8);
    assert!(asked.try_recv().is_err());
    let button = app.get_by_label("Play h8").rect().center();
    tap(&mut app, button);
    wait_for(&mut app, "Ann to move");
    assert_eq!(next(&asked).1["move"], "h8");
}

#[test]
fn the_call_to_take_a_seat_hides_nothing_of_the_board_beside_the_panel() {
    let (mut app, _asked) = open_sized(&[Listed::Free], Vec2::new(800.0, 600.0));
    app.key_press(Key::B);
    app.run_steps(8);
    assert!(shows(&app, "Moments"), "the panel is open");
    let play = app.get_by_label("Play black").rect();
    let place = app.get_by_label_contains("Gomoku board").rect();
    let top = place.center().y - place.width().min(place.height()) / 2.0;
    assert!(play.bottom() < top, "{play} over the board from {top}");
}

#[test]
fn a_sheet_gives_way_to_the_board() {
    for size in [PHONE, Vec2::new(360.0, 640.0)] {
        let (mut app, _asked) = open_sized(&[Listed::Free], size);
        app.key_press(Key::B);
        app.run_steps(4);
        app.get_by_label_contains("Height of the panel").focus();
        app.run_steps(2);
        for _ in 0..30 {
            app.key_press(Key::ArrowUp);
            app.step();
        }
        app.run_steps(4);
        let board = app.get_by_label_contains("Gomoku board").rect();
        assert!(board.height() >= if size == PHONE { 140.0 } else { 120.0 }, "{size}: {board}");
        let tab = app.get_by_label("Moments").rect();
        assert!(tab.top() > board.bottom() && tab.bottom() < size.y, "{size}: {tab}");
    }
}

#[test]
fn after_a_match_the_seats_place_has_the_ways_on_in_words() {
    for size in [PHONE, Vec2::new(800.0, 600.0), Vec2::new(1280.0, 800.0)] {
        let (mut app, asked) = open_sized(&[Listed::Free], size);
        let bar = app.get_by_label("Your name, optional").rect();
        play_and_resign(&mut app, &asked);
        app.run_steps(10);
        let board = app.get_by_label_contains("Gomoku board").rect();
        for way in ["Rematch", "New game…"] {
            let button = app.get_by_label(way).rect();
            assert!(button.bottom() <= board.top() + 1.0 && button.top() > 44.0, "{size}: {way} at {button}");
            assert!(painted(&app).iter().any(|(text, cut)| text == way && !cut), "{size}: {way}");
        }
        assert!(bar.top() > 44.0);
    }
}

/// Presses keys that type this.
fn type_keys(app: &mut Window, text: &str) {
    for letter in text.chars() {
        let key = Key::from_name(&letter.to_uppercase().to_string()).expect("a key");
        for pressed in [true, false] {
            let (physical_key, repeat, modifiers) = (None, false, Modifiers::NONE);
            app.event(Event::Key { key, physical_key, pressed, repeat, modifiers });
            if pressed {
                app.event(Event::Text(letter.to_string()));
            }
        }
        app.run_steps(2);
    }
}

#[test]
fn on_ones_turn_letters_and_digits_are_those_of_a_move() {
    let (mut app, asked) = open_seated();
    let helps = |app: &Window| shows(app, "Seat: type a move");
    type_keys(&mut app, "h8");
    assert!(!helps(&app), "{app:?}");
    app.key_press(Key::Enter);
    wait_for(&mut app, "Ann to move");
    assert_eq!(next(&asked).1["move"], "h8");
    // Out of turn they have the meaning that they have for who watches.
    type_keys(&mut app, "h");
    assert!(helps(&app));
}

#[test]
fn a_key_and_tab_lead_to_the_field_for_a_move() {
    let (mut app, _asked) = open_seated();
    for (modifiers, key) in [(Modifiers::SHIFT, Key::M), (Modifiers::NONE, Key::Tab)] {
        assert!(!app.get_by_label("Your move").is_focused());
        app.key_press_modifiers(modifiers, key);
        app.run_steps(2);
        assert!(app.get_by_label("Your move").is_focused(), "{key:?}");
        app.key_press(Key::Escape);
        app.run_steps(2);
    }
    app.key_press(Key::Questionmark);
    app.run_steps(3);
    assert!(shows(&app, "Seat: type a move"));
}

#[test]
fn the_field_for_a_move_says_how_it_is_typed() {
    let mut app = open_riskless(Vec2::new(1280.0, 800.0));
    let texts = painted(&app);
    assert!(texts.contains(&("from-to".to_owned(), false)), "{texts:?}");
    let field = app.get_by_label("Your move").rect().center();
    app.hover_at(field);
    app.run_steps(60);
    assert!(shows(&app, "Two territories by number or name, such as 0-1 for North to Middle"), "{app:?}");
}

#[test]
fn escape_takes_back_what_a_player_has_begun_and_leaves_no_game() {
    let mut app = open_riskless(Vec2::new(1280.0, 800.0));
    let north = territory(&app, "North");
    press(&mut app, north);
    let words = |app: &Window| painted(app).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    let begun = |app: &Window| words(app).iter().any(|text| text.starts_with("North: "));
    assert!(begun(&app), "{:?}", words(&app));
    app.key_press(Key::Escape);
    app.run_steps(4);
    assert!(!begun(&app) && shows(&app, "Riskless map"), "{:?}", words(&app));
    app.key_press(Key::Escape);
    app.run_steps(4);
    assert!(shows(&app, "You are playing") && shows(&app, "Riskless map"), "{:?}", words(&app));
}

#[test]
fn a_refusal_is_whole_on_a_phone_and_the_chosen_territory_stays_chosen() {
    let mut app = open_riskless(PHONE);
    let (north, middle, south) =
        (territory(&app, "North"), territory(&app, "Middle"), territory(&app, "South"));
    tap(&mut app, north);
    tap(&mut app, south);
    wait_for(&mut app, "No road leads");
    app.run_steps(4);
    let told = painted(&app).into_iter().find(|(text, _)| text.starts_with("No road"));
    assert_eq!(told, Some((format!("N{}.", &NO_ROAD[1..]), false)));
    tap(&mut app, middle);
    assert!(app.query_by_label("Play Middle").is_some(), "{app:?}");
}

#[test]
fn the_board_is_in_the_middle_of_a_phone_and_stays_there_when_a_seat_is_taken() {
    let (mut app, _asked) = open_sized(&[Listed::Free], PHONE);
    let board = |app: &Window| app.get_by_label_contains("Gomoku board").rect();
    let first = board(&app);
    assert_eq!(first.center().x, PHONE.x / 2.0, "{first}");
    app.run_steps(8);
    click(&mut app, "Play black");
    wait_for(&mut app, "Your move");
    app.run_steps(8);
    assert_eq!(board(&app), first);
    let (mut app, go_on) = open_empty_riskless(PHONE);
    go_on.send(()).expect("it waits");
    wait_for(&mut app, "Line 9 of 9");
    app.run_steps(4);
    let middle = territory(&app, "Middle");
    click(&mut app, "Play red");
    wait_for(&mut app, "Your move");
    app.run_steps(6);
    assert_eq!(territory(&app, "Middle"), middle);
}

#[test]
fn who_plays_is_told_which_side_in_a_small_window() {
    let app = open_riskless(Vec2::new(800.0, 600.0));
    let texts = painted(&app);
    for told in ["You", "Your move", "You play red", "Click a territory of yours"] {
        assert!(texts.contains(&(told.to_owned(), false)), "{told}: {texts:?}");
    }
}
