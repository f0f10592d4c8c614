//! The engines agree: the same steps, effects, moments and causes of death, values. Seeded drivers of the fuzz bodies.

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

/// How many programs a test tries: `GRANDSTAND_CASES` makes it thorough.
fn cases(default: u64) -> u64 {
    std::env::var("GRANDSTAND_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(default)
}

#[test]
fn generated_programs() {
    for seed in 0..cases(1500) {
        let data = bytes(seed, 40 + (seed % 500) as usize);
        let run = std::panic::catch_unwind(|| fuzz::cl_generated(&data));
        assert!(run.is_ok(), "seed {seed}");
    }
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
        fuzz::cl_source(&data);
        fuzz::cl_run(&data);
        let text: String = data.iter().map(|&byte| words[byte as usize % words.len()]).collect();
        fuzz::cl_source(text.as_bytes());
        fuzz::cl_run(text.as_bytes());
    }
}
