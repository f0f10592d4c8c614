//! The server's fuzz bodies with seeded inputs, so that the stable tests run them too.

/// A small generator (xorshift64*), for reproducible failures.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Client frames, some of them corrupted.
#[test]
fn websocket() {
    let mut bytes = Bytes(0x9E37_79B9_7F4A_7C15);
    for _ in 0..20_000 {
        let mut data = Vec::new();
        for _ in 0..bytes.below(6) {
            let len = bytes.below(140);
            data.push([0x81, 0x82, 0x88, 0x89, 0x8a, 0x01, 0x80, 0x00][bytes.below(8)]);
            if len < 126 {
                data.push(0x80 | len as u8);
            } else {
                data.extend([0xfe, 0, len as u8]);
            }
            data.extend([0, 0, 0, 0]);
            data.extend((0..len).map(|_| b' ' + bytes.below(90) as u8));
        }
        for _ in 0..bytes.below(3) {
            if !data.is_empty() {
                let at = bytes.below(data.len());
                data[at] = bytes.next() as u8;
            }
        }
        grandstand::fuzz::websocket(&data);
    }
}

/// Messages between origins and relays, some of them corrupted.
#[test]
fn feeds() {
    let summary = r#"{"id":"a","game":"abalone","title":"","teams":[],"state":"live","started":"","seq":0,"spectators":0,"result":null}"#;
    let json = [
        format!(r#"{{"version":1,"origin":"red","frame":7,"match":{summary}}}"#),
        r#"{"version":1,"program":"grandstand","instance":"x"}"#.to_owned(),
        r#"{"version":1,"match":"a","ask":"commands","from":1,"to":9}"#.to_owned(),
        r#"{"version":1,"match":"a","ask":"seat","path":"seats","body":"{}","from":"::1"}"#.to_owned(),
    ];
    let mut bytes = Bytes(7);
    for round in 0..20_000 {
        let mut data = match json.get(round % 8) {
            Some(json) => json.as_bytes().to_vec(),
            None => {
                let head = [1, (round % 6) as u8, (round % 4) as u8, 0];
                // Small numbers, so that many of them fit together.
                let len = bytes.below(80);
                let rest = (0..len).map(|at| if at % 8 == 7 { bytes.below(4) as u8 } else { 0 });
                head.into_iter().chain(rest).collect()
            }
        };
        for _ in 0..bytes.below(4) {
            if !data.is_empty() {
                let at = bytes.below(data.len());
                data[at] = bytes.next() as u8;
            }
        }
        grandstand::fuzz::feeds(&data);
    }
}

/// Messages between a director and its workers, some of them corrupted.
#[test]
fn work() {
    let id = "0123456789abcdef".repeat(2);
    let hash = "0123456789abcdef".repeat(4);
    let player = format!(
        r#"{{"play":"engine:./a b","program":null,"files":[{{"word":"./a","sha256":"{hash}","bytes":7,"executable":true}}]}}"#
    );
    let job = format!(
        r#"{{"tournament":"{hash}","number":7,"attempt":0,"set_up":{{"game":"gomoku","players":[{player},{player}],"settings":{{"SIZE":9.5}},"speed":1.5,"limits":["a=1"],"sandbox":"on"}},"seed":18446744073709551615,"swapped":true,"clocks":false,"names":["a","b"],"event":"cup","round":"1.2"}}"#
    );
    let upload = format!(r#"{{"sha256":"{hash}","bytes":9}}"#);
    let played = format!(
        r#"{{"fault":"first","winner":1,"termination":"five","reason":"x","score":[1,2],"length":[9,"moves"],"digest":7,"started":"","wall_ms":1,"disturbed_ms":2,"recording":{upload},"inputs":null}}"#
    );
    let json = [
        format!(r#"{{"job":{{"id":"{id}","job":{job}}}}}"#),
        format!(r#"{{"session":"{id}","job":"{id}","ending":{{"played":{played}}}}}"#),
        format!(r#"{{"session":"{id}","job":"{id}","ending":{{"refused":"no"}}}}"#),
        r#"{"protocol":1,"version":"0.1.0","name":"red","jobs":2,"cores":2,"arch":"x86_64","more":1}"#
            .to_owned(),
        r#"{"protocol":1,"version":"0.1.0","name":"red","jobs":2,"cores":2,"arch":"x86_64","labels":["avx2","a.b+c"],"memory_mib":4096,"speed":300}"#
            .to_owned(),
        format!(r#"{{"session":"{id}","load":25}}"#),
        format!(r#"{{"session":"{id}","tournament":"cup","beat_ms":1500,"clocks":true}}"#),
        r#"{"counts":true}"#.to_owned(),
        r#"{"protocol":1,"version":"0.1.0","director":"0123456789abcdef","tournament":"cup"}"#.to_owned(),
        format!(r#"{{"sha256":"{hash}"}}"#),
        format!(r#"{{"session":"{id}","running":[["{id}",7]]}}"#),
        format!(r#"{{"drop":["{id}"]}}"#),
        "{\"grandstand\":1,\"game\":\"gomoku\"}\n[0.5,\"c\",\"set B~2 w4\"]\n[1,\"c\",\"fin\"]\n".to_owned(),
        job,
    ];
    let mut bytes = Bytes(7);
    for round in 0..20_000 {
        let mut data = json[round % json.len()].as_bytes().to_vec();
        for _ in 0..bytes.below(4) {
            let at = bytes.below(data.len());
            data[at] = bytes.next() as u8;
        }
        grandstand::fuzz::work(&data);
    }
}

#[test]
fn text() {
    let seeds = [
        "/api/matches/01ARZ3NDEKTSV4RRFFQ69G5FAV/live?since=12",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        r#"[1.5,"e",{"state":"finished","seq":12}]"#,
        "/api/matches?limit=3&before=",
        r#"{"team":"black","name":"Ann\u0000\n"}"#,
        r#"{"token":"00","ply":3,"move":"h8\n#gs result {}"}"#,
    ];
    let mut bytes = Bytes(42);
    for round in 0..20_000 {
        let mut data = seeds[round % seeds.len()].as_bytes().to_vec();
        for _ in 0..bytes.below(4) {
            let at = bytes.below(data.len());
            match bytes.below(3) {
                0 => data[at] = bytes.next() as u8,
                1 => data.truncate(at + 1),
                _ => data.insert(at, b"?&=/\"0"[bytes.below(6)]),
            }
        }
        grandstand::fuzz::text(&data);
    }
}

#[test]
fn upgrade() {
    let lines = [
        "GET /api/matches/01ARZ3NDEKTSV4RRFFQ69G5FAV/live?since=12 HTTP/1.1",
        "Host: localhost:8126",
        "Connection: keep-alive, Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Origin: http://localhost:8126",
    ];
    let mut bytes = Bytes(7);
    for _ in 0..20_000 {
        let left_out = bytes.below(3 * lines.len());
        let kept = lines.iter().enumerate().filter(|(place, _)| *place != left_out);
        let mut data = kept.flat_map(|(_, line)| [line, "\r\n"]).collect::<String>().into_bytes();
        data.extend(b"\r\n\x81\x80");
        for _ in 0..bytes.below(4) {
            let at = bytes.below(data.len());
            match bytes.below(3) {
                0 => data[at] = bytes.next() as u8,
                1 => data.truncate(at + 1),
                _ => data.insert(at, b"\r\n:, \0"[bytes.below(6)]),
            }
        }
        grandstand::fuzz::upgrade(&data);
    }
}

/// Corrupted examples: bytes are replaced, removed or inserted, and words of the examples are mixed in.
fn spoilt(examples: &[&str], rounds: usize, body: fn(&[u8])) {
    let mut bytes = Bytes(11);
    let words: Vec<&str> =
        examples.iter().flat_map(|example| example.split_inclusive([' ', '\n', '='])).collect();
    for round in 0..rounds {
        let mut data = examples[round % examples.len()].as_bytes().to_vec();
        for _ in 0..bytes.below(4) {
            let at = bytes.below(data.len());
            match bytes.below(4) {
                0 => data[at] = bytes.next() as u8,
                1 => data.truncate(at + 1),
                2 => data.insert(at, b"[]\"=.#\n-0"[bytes.below(9)]),
                _ => drop(data.splice(at..at, words[bytes.below(words.len())].bytes())),
            }
        }
        body(&data);
    }
}

#[test]
fn tournament() {
    let sound = "name = \"Cup\"\ngame = \"gomoku\"\nseed = 7\nfaults = 3\nplayers = [\"random\", \"stupid\"]\n\
                 tie_breaks = [\"wins\", \"lot\"]\n[settings]\nSIZE = 9\n[clock]\ntime = \"5m\"\n[points]\nwin = 3.0\n\
                 [[player]]\nname = \"House\"\nplay = \"random\"\nkind = \"house\"\n\
                 [[stage]]\nname = \"All\"\nformat = \"swiss\"\nrounds = 3\ngames = 2\nadvance = 2\n\
                 [[stage]]\nname = \"Final\"\nformat = \"sprt\"\nelo0 = 0.1\nelo1 = 5.7\nmax_games = 100\n";
    spoilt(&[sound], 4_000, grandstand::fuzz::tournament);
}

#[test]
fn rubric() {
    let sound = "game = \"shark\"\nseed = 3\n[settings]\nLENGTH = 100\n[[test]]\nname = \"one\"\nbeats = \"idle\"\nscore = 0.6\n\
                 games = 20\npoints = 2.5\npartial = true\nmaps = [\"forts\"]\n";
    spoilt(&[sound], 4_000, grandstand::fuzz::rubric);
}

#[test]
fn actions() {
    let sound = "# a look\nA_LOOK 3 = (1, 4)\n* A_LOOK = 8\nA_SCAN stop\nA_TALK = T_EMPTY\n";
    spoilt(&[sound], 300, grandstand::fuzz::actions);
}
