//! The engines agree in steps, effects, cycles, values and causes of death. Seeded drivers of the fuzz bodies.

use grandstand_languages::fuzz;

/// Bytes that follow from a seed (xorshift).
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// Number of programs that a test tries: `GRANDSTAND_CASES`, if it is set.
fn cases(default: u64) -> u64 {
    std::env::var("GRANDSTAND_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(default)
}

fn generated(body: fn(&[u8])) {
    for seed in 0..cases(1500) {
        let data = bytes(seed, 60 + (seed % 1500) as usize);
        let run = std::panic::catch_unwind(|| body(&data));
        assert!(run.is_ok(), "seed {seed}");
    }
}

#[test]
fn generated_cl_programs() {
    generated(fuzz::cl_generated);
}

#[test]
fn generated_rcl_programs() {
    generated(fuzz::rcl_generated);
}

#[test]
fn any_bytes_load_or_say_why_not() {
    let words = [
        "let ",
        "x",
        " = ",
        "in ",
        "fn ",
        "=> ",
        "rec ",
        "split ",
        "of ",
        "f",
        "if ",
        "then ",
        "else ",
        "(",
        ")",
        "[",
        "]",
        ":=",
        ",",
        ";",
        "!",
        "~",
        "1",
        "99",
        "do ",
        "spawn ",
        "lref ",
        "gref ",
        "acquire ",
        "release ",
        "+",
        "<",
        "\"a\\n\"",
        "(*",
        "*)",
        "\n",
        "#include library.ch\n",
        "é",
        "\0",
        "mod ",
        "typeof ",
        "rand ",
        " ",
    ];
    for seed in 0..cases(3000) {
        let data = bytes(seed, 60);
        let text: String = data.iter().map(|&byte| words[byte as usize % words.len()]).collect();
        for body in [fuzz::cl_source, fuzz::cl_run, fuzz::rcl_source, fuzz::rcl_run] {
            body(&data);
            body(text.as_bytes());
        }
    }
}
