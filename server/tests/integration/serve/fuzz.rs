//! The server's fuzz bodies on seeded bytes, so that the stable tests run them too.

/// A small generator (xorshift64*), so that a failure comes again.
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

/// Frames as clients send them, some of them spoilt.
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
