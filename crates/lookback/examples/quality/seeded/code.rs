//! Identifiers, paths, codes, pasted lines and hashes: what is right to the letter or not at all.

use super::writing::other_host;
use super::{Maker, capitalised, words};

pub(super) fn plant(maker: &mut Maker) {
    for number in 0..maker.per_kind {
        identifier(maker, number);
        part_of_identifier(maker, number);
        path(maker, number);
        error_code(maker, number);
        error_line(maker, number);
        hash(maker, number);
    }
}

#[derive(Clone, Copy)]
enum Spelling {
    Camel,
    Pascal,
    Snake,
    Kebab,
}

const SPELLINGS: [Spelling; 4] = [
    Spelling::Camel,
    Spelling::Pascal,
    Spelling::Snake,
    Spelling::Kebab,
];

fn spelt(parts: &[&str], spelling: Spelling) -> String {
    match spelling {
        Spelling::Camel => {
            let rest: String = parts[1..].iter().map(|part| capitalised(part)).collect();
            format!("{}{rest}", parts[0])
        }
        Spelling::Pascal => parts.iter().map(|part| capitalised(part)).collect(),
        Spelling::Snake => parts.join("_"),
        Spelling::Kebab => parts.join("-"),
    }
}

/// What something is called: a verb and two topics; and two topics more, for the names of its rivals.
struct Naming {
    parts: [&'static str; 3],
    others: [&'static str; 2],
}

fn naming(maker: &mut Maker) -> Naming {
    let topics = maker.topics(4);
    Naming {
        parts: [maker.random.one_of(words::VERBS), topics[0], topics[1]],
        others: [topics[2], topics[3]],
    }
}

/// Other identifiers with some of the same parts, in other sessions.
fn similar(maker: &mut Maker, host: usize, naming: &Naming, spelling: Spelling) {
    let other_verb = maker.random.one_of(words::VERBS);
    let ([verb, one, two], others) = (naming.parts, naming.others);
    for parts in [
        [verb, one, others[0]],
        [verb, others[1], two],
        [other_verb, two, one],
    ] {
        let rival = other_host(maker, host);
        let identifier = spelt(&parts, spelling);
        maker.plant(
            rival,
            false,
            &format!("Here `{identifier}` is called with the {one}."),
        );
    }
}

fn identifier(maker: &mut Maker, number: usize) {
    let naming = naming(maker);
    let parts = naming.parts;
    let host = maker.host();
    let spelling = SPELLINGS[number % 4];
    let identifier = spelt(&parts, spelling);
    maker.plant(
        host,
        false,
        &format!("The fix is in `{identifier}`, which returned too early."),
    );
    similar(maker, host, &naming, spelling);
    let rival = other_host(maker, host);
    let spaced = parts.join(" and ");
    maker.plant(rival, true, &format!("What do {spaced} mean here?"));
    // Half of them as written, half as another language would write them.
    let asked = if number % 8 < 4 {
        spelling
    } else {
        SPELLINGS[(number + 1) % 4]
    };
    maker.case("identifier", host, spelt(&parts, asked));
}

fn part_of_identifier(maker: &mut Maker, number: usize) {
    let naming = naming(maker);
    let parts = naming.parts;
    let host = maker.host();
    let spelling = SPELLINGS[number % 4];
    let identifier = spelt(&parts, spelling);
    maker.plant(host, false, &format!("I moved `{identifier}` out of the loop."));
    similar(maker, host, &naming, spelling);
    let query = match number % 3 {
        0 => spelt(&parts[1..], Spelling::Pascal),
        1 => spelt(&parts[1..], Spelling::Snake),
        _ => parts[1..].join(" "),
    };
    maker.case("part of an identifier", host, query);
}

fn path(maker: &mut Maker, number: usize) {
    let naming = naming(maker);
    let ([verb, one, two], others) = (naming.parts, naming.others);
    let host = maker.host();
    let ending = maker.random.one_of(&["rs", "ts", "py", "go", "java"]);
    let root = maker
        .random
        .one_of(&["src", "packages/core/src", "crates/engine/src", "services/api"]);
    let path = format!("{root}/{one}/{two}/{verb}.{ending}");
    maker.plant(
        host,
        false,
        &format!("The change is in `{path}`, line {}.", 10 + number * 7),
    );
    for rival_path in [
        format!("{root}/{one}/{}/{verb}.{ending}", others[0]),
        format!("{root}/{}/{two}/{verb}.{ending}", others[1]),
        format!("{root}/{two}/{one}.{ending}"),
    ] {
        let rival = other_host(maker, host);
        maker.plant(
            rival,
            false,
            &format!("I read `{rival_path}` and left it as it is."),
        );
    }
    let part = if number.is_multiple_of(2) {
        format!("{one}/{two}/{verb}.{ending}")
    } else {
        format!("{one}/{two}")
    };
    maker.case("path", host, path);
    maker.case("part of a path", host, part);
}

fn error_code(maker: &mut Maker, number: usize) {
    let letters = maker.name(1 + 1).to_uppercase();
    let host = maker.host();
    let code = |more: usize| match number % 3 {
        0 => format!("{}-{}", &letters[..3], 1000 + number * 37 + more),
        1 => format!("E{}", 4000 + number * 13 + more),
        _ => format!("ERR_{letters}_{}", 100 + number + more),
    };
    let right = code(0);
    maker.plant(
        host,
        true,
        &format!("It stops with error {right} and nothing else."),
    );
    for other in [1, 2] {
        let rival = other_host(maker, host);
        let other = code(other);
        maker.plant(
            rival,
            true,
            &format!("It stops with error {other} and nothing else."),
        );
    }
    let query = if number.is_multiple_of(2) {
        right
    } else {
        format!("error {right}")
    };
    maker.case("error code", host, query);
}

/// What an error says. `n` and `x` are numbers and addresses: other ones each time.
fn line(template: usize, place: [&str; 3], n: usize, x: u64) -> String {
    let [verb, one, two] = place;
    let function = spelt(&place, Spelling::Snake);
    let method = spelt(&place, Spelling::Camel);
    let class = spelt(&[one, two], Spelling::Pascal);
    match template % 8 {
        0 => format!(
            "thread 'worker-{n}' panicked at src/{one}/{two}.rs:{}:{n}: called `Option::unwrap()` on a `None` value in {function}",
            n * 3
        ),
        1 => format!(
            "TypeError: Cannot read properties of undefined (reading '{one}') at {method} (/srv/app/{one}/{two}.js:{n}:{})",
            n % 40
        ),
        2 => format!(
            "Traceback (most recent call last): File \"/opt/{one}/{two}.py\", line {n}, in {function} KeyError: '{verb}'"
        ),
        3 => format!(
            "panic: runtime error: index out of range [{n}] with length {} goroutine {n} [running]: main.{method}(0x{x:x}) /go/src/{one}/{two}.go:{n} +0x{:x}",
            n - 1,
            x >> 20
        ),
        4 => {
            format!("ld: {one}/{two}.o: in function `{verb}': undefined reference to `{function}' at 0x{x:x}")
        }
        5 => format!(
            "java.lang.IllegalStateException: not ready at com.example.{one}.{class}.{verb}({class}.java:{n})"
        ),
        6 => format!(
            "SIGSEGV at address 0x{x:x} in {function} ({one}/{two}.c:{n}) pid {}",
            n * 17
        ),
        _ => format!(
            "[{n}:{}] ERROR {one}::{two} request {x:x} failed after {n} ms: {verb} returned 503",
            n % 60
        ),
    }
}

fn error_line(maker: &mut Maker, number: usize) {
    let naming = naming(maker);
    let (place, others) = (naming.parts, naming.others);
    let host = maker.host();
    let mut numbers = || (maker.random.between(11, 900), maker.random.next() >> 16);
    let (said, asked) = (numbers(), numbers());
    let rivals = [numbers(), numbers()];
    maker.plant(host, true, &line(number, place, said.0, said.1));
    for (place, (n, x)) in [[place[0], place[1], others[0]], [place[0], others[1], place[2]]]
        .into_iter()
        .zip(rivals)
    {
        let rival = other_host(maker, host);
        maker.plant(rival, true, &line(number, place, n, x));
    }
    maker.case("pasted error line", host, line(number, place, asked.0, asked.1));
}

fn hash(maker: &mut Maker, number: usize) {
    let host = maker.host();
    let full = maker.fresh(|random| {
        format!(
            "{:016x}{:016x}{:08x}",
            random.next(),
            random.next(),
            random.next() as u32
        )
    });
    maker.plant(host, false, &format!("Committed as {full}."));
    let rival = other_host(maker, host);
    let other = maker.fresh(|random| {
        format!(
            "{:016x}{:016x}{:08x}",
            random.next(),
            random.next(),
            random.next() as u32
        )
    });
    maker.plant(rival, false, &format!("Committed as {other}."));
    let query = match number % 3 {
        0 => full,
        1 => full[..7].to_owned(),
        _ => format!("commit {}", &full[..10]),
    };
    maker.case("hash or its start", host, query);
}
