//! The picker with scripted keys, drawn into memory.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use ratatui::{
    Terminal,
    backend::TestBackend,
    crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers},
    style::{Color, Modifier},
};

use super::{
    state::{Answer, Found, Piece, Preview, PreviewLine, Question, Row, State, Step},
    view,
};

fn key(code: KeyCode) -> Event {
    Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn control(c: char) -> Event {
    Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL))
}

fn typed(state: &mut State, text: &str) -> Step {
    let mut step = Step::Stay;
    for c in text.chars() {
        step = state.event(&key(KeyCode::Char(c)));
    }
    step
}

fn row(number: usize) -> Row {
    Row {
        id: format!("id-{number}"),
        path: format!("/sessions/{number}.jsonl").into(),
        title: format!("Title {number}"),
        detail: "2026-01-01 10:00 · user · /home/dev/shop".to_owned(),
        tags: vec!["zoo".to_owned()],
        entry: Some("a1".to_owned()),
        snippet: vec![
            Piece {
                text: "where is the ".to_owned(),
                matched: false,
            },
            Piece {
                text: "walrus".to_owned(),
                matched: true,
            },
        ],
    }
}

fn number_of(step: &Step) -> u64 {
    match step {
        Step::Ask(Question::Search { number, .. } | Question::Preview { number, .. }) => *number,
        other => panic!("{other:?}"),
    }
}

/// Answers a search with so many rows, and the preview that follows.
fn answered(state: &mut State, step: &Step, rows: usize) {
    let found = Found {
        number: number_of(step),
        rows: (0..rows).map(row).collect(),
        matched: rows,
        notes: Vec::new(),
    };
    let step = state.answer(Answer::Found(found));
    if rows > 0 {
        previewed(state, &step);
    }
}

fn previewed(state: &mut State, step: &Step) {
    let Step::Ask(Question::Preview { number, row }) = step else {
        panic!("{step:?}")
    };
    let lines = vec![
        PreviewLine::Speaker("user".to_owned()),
        PreviewLine::Text(vec![Piece {
            text: format!("preview of {}", row.id),
            matched: false,
        }]),
        PreviewLine::Note("a note".to_owned()),
    ];
    state.answer(Answer::Preview {
        number: *number,
        preview: Preview { lines, focus: 0 },
    });
}

fn drawn(state: &State, width: u16, height: u16) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view::draw(state, frame, true)).unwrap();
    terminal
}

fn text_of(terminal: &Terminal<TestBackend>) -> String {
    let buffer = terminal.backend().buffer();
    let rows = (0..buffer.area.height).map(|y| {
        let cells = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol());
        cells.collect::<String>().trim_end().to_owned()
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_key_searches_and_late_answers_are_dropped() {
    let mut state = State::new("", false, false);
    let first = state.search();
    let second = typed(&mut state, "wa");
    assert_eq!(
        second,
        Step::Ask(Question::Search {
            number: 3,
            query: "wa".to_owned(),
            here: false
        })
    );
    let late = Found {
        number: number_of(&first),
        rows: vec![row(9)],
        ..Found::default()
    };
    assert_eq!(state.answer(Answer::Found(late)), Step::Stay);
    assert!(state.found.rows.is_empty() && state.waiting);
    answered(&mut state, &second, 3);
    assert!(!state.waiting && state.selected_row().unwrap().id == "id-0");
    // Moving in the line searches nothing.
    assert_eq!(state.event(&key(KeyCode::Left)), Step::Stay);
    assert_eq!(state.event(&key(KeyCode::End)), Step::Stay);
    assert_eq!(number_of(&state.event(&control('w'))), 4);
    assert_eq!(state.query.text(), "");
    let mut up = KeyEvent::new(KeyCode::Char('x'), KeyModifiers::NONE);
    up.kind = KeyEventKind::Release;
    assert_eq!(state.event(&Event::Key(up)), Step::Stay);
}

#[test]
fn the_selection_stays_inside_and_asks_for_its_preview() {
    let mut state = State::new("", false, false);
    let step = state.search();
    answered(&mut state, &step, 3);
    assert_eq!(state.event(&key(KeyCode::Up)), Step::Stay);
    let down = state.event(&key(KeyCode::Down));
    assert!(state.preview.is_none() && state.is_waiting());
    let further = state.event(&control('n'));
    // The answer to the first preview comes too late.
    previewed(&mut state, &down);
    assert!(state.preview.is_none());
    previewed(&mut state, &further);
    assert!(format!("{:?}", state.preview).contains("preview of id-2"));
    assert_eq!(state.event(&key(KeyCode::PageDown)), Step::Stay);
    let first = state.event(&key(KeyCode::PageUp));
    previewed(&mut state, &first);
    let scroll = Event::Key(KeyEvent::new(KeyCode::Down, KeyModifiers::CONTROL));
    (0..9).for_each(|_| assert_eq!(state.event(&scroll), Step::Stay));
    assert_eq!(state.scroll, 2);
}

#[test]
fn enter_chooses_what_is_seen_and_nothing_else() {
    let mut state = State::new("walrus", true, false);
    assert_eq!(state.event(&key(KeyCode::Enter)), Step::Stay);
    let step = state.search();
    answered(&mut state, &step, 2);
    let _ = state.event(&key(KeyCode::Down));
    assert_eq!(state.event(&key(KeyCode::Enter)), Step::Choose(Box::new(row(1))));
    // The rows on screen are no answer to what is typed now.
    let step = typed(&mut state, "s");
    assert_eq!(state.event(&key(KeyCode::Enter)), Step::Stay);
    answered(&mut state, &step, 0);
    assert_eq!(state.event(&key(KeyCode::Enter)), Step::Stay);
    for leaving in [key(KeyCode::Esc), control('c'), control('d')] {
        assert_eq!(state.event(&leaving), Step::Leave);
    }
}

#[test]
fn tab_switches_between_this_folder_and_all() {
    let mut state = State::new("a", false, false);
    assert!(text_of(&drawn(&state, 80, 20)).contains("tab this folder"));
    let step = state.event(&key(KeyCode::Tab));
    assert!(matches!(step, Step::Ask(Question::Search { here: true, .. })));
    answered(&mut state, &step, 0);
    let text = text_of(&drawn(&state, 80, 20));
    assert!(
        text.contains("No session matches in this folder.") && text.contains("tab all folders"),
        "{text}"
    );
}

#[test]
fn a_paste_is_a_query_and_never_a_choice() {
    let mut state = State::new("", false, false);
    let step = state.search();
    answered(&mut state, &step, 1);
    let step = state.event(&Event::Paste("error:\r\nline two\n".to_owned()));
    assert!(matches!(step, Step::Ask(Question::Search { .. })), "{step:?}");
    assert!(!state.query.text().contains(['\r', '\n']));
}

#[test]
fn list_preview_tags_and_matches_are_drawn() {
    let mut state = State::new("walrus", false, false);
    let step = state.search();
    assert!(text_of(&drawn(&state, 120, 12)).contains("searching …"));
    answered(&mut state, &step, 2);
    let terminal = drawn(&state, 120, 12);
    let text = text_of(&terminal);
    for part in [
        "> walrus",
        "▌Title 0 #zoo",
        "where is the walrus",
        "│user",
        "│preview of id-0",
        "2 sessions",
        "enter resume",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let buffer = terminal.backend().buffer();
    let yellow = buffer
        .content
        .iter()
        .filter(|cell| cell.fg == Color::Yellow)
        .count();
    assert_eq!(yellow, 2 * "walrus".len());
    assert!(
        buffer
            .content
            .iter()
            .any(|cell| cell.modifier.contains(Modifier::REVERSED))
    );
    // The preview moves below the list where there is no room beside it.
    let narrow = text_of(&drawn(&state, 60, 20));
    assert!(narrow.contains("\nuser\npreview of id-0"), "{narrow}");
    let flat = text_of(&drawn(&state, 60, 10));
    assert!(flat.contains("Title 0") && !flat.contains("preview of"), "{flat}");

    state.prints = true;
    assert!(text_of(&drawn(&state, 80, 12)).contains("enter print"));
}

#[test]
fn without_colours_there_are_none() {
    let mut state = State::new("walrus", false, false);
    let step = state.search();
    answered(&mut state, &step, 2);
    let mut terminal = Terminal::new(TestBackend::new(120, 12)).unwrap();
    terminal.draw(|frame| view::draw(&state, frame, false)).unwrap();
    let buffer = terminal.backend().buffer();
    assert!(
        buffer
            .content
            .iter()
            .all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
    );
}

#[test]
fn any_size_of_terminal_will_do() {
    let mut state = State::new(&"語🙂 ".repeat(60), false, false);
    let step = state.search();
    answered(&mut state, &step, 30);
    state.selected = 29;
    for width in (1..16).chain([39, 80, 99, 100, 300]) {
        for height in (1..9).chain([15, 16, 17, 100]) {
            let _ = drawn(&state, width, height);
        }
    }
}

#[test]
fn no_cell_holds_what_a_terminal_acts_on() {
    let hostile = "a\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}b\rc\td\u{0}";
    let mut state = State::new(hostile, false, false);
    let step = state.search();
    let bad = Piece {
        text: hostile.to_owned(),
        matched: true,
    };
    let found = Found {
        number: number_of(&step),
        rows: vec![Row {
            title: hostile.to_owned(),
            detail: hostile.to_owned(),
            tags: vec![hostile.to_owned()],
            snippet: vec![bad],
            ..row(0)
        }],
        matched: 1,
        notes: vec![hostile.to_owned()],
    };
    // The engine's side makes text harmless; even if it forgot, no control character would reach a cell.
    state.answer(Answer::Found(found));
    let terminal = drawn(&state, 120, 20);
    for cell in &terminal.backend().buffer().content {
        assert!(
            !cell.symbol().chars().any(char::is_control),
            "{:?}",
            cell.symbol()
        );
    }
}

#[test]
fn no_order_of_keys_and_answers_leads_astray() {
    // Xorshift: the same walk every time.
    let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw_lots = move |choices: u64| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        chance % choices
    };
    let codes = [
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::Tab,
        KeyCode::Enter,
        KeyCode::F(5),
        KeyCode::Null,
        KeyCode::Char(' '),
        KeyCode::Char('w'),
        KeyCode::Char('u'),
        KeyCode::Char('語'),
        KeyCode::Char('\u{301}'),
        KeyCode::Char('\u{1b}'),
        KeyCode::Char('\u{202e}'),
    ];
    let mut state = State::new("", false, false);
    let mut asked = vec![state.search()];
    for round in 0..20_000 {
        let event = match draw_lots(20) {
            0 => Event::Paste("👨‍👩‍👧 a\r\n\u{9b}b".to_owned()),
            1 => Event::Resize(1, 1),
            _ => {
                let code = codes[draw_lots(codes.len() as u64) as usize];
                Event::Key(KeyEvent::new(
                    code,
                    KeyModifiers::from_bits_truncate(draw_lots(8) as u8),
                ))
            }
        };
        match state.event(&event) {
            step @ Step::Ask(_) => asked.push(step),
            Step::Choose(row) => assert!(state.found.rows.contains(&row) && !state.waiting),
            Step::Leave | Step::Stay => {}
        }
        // Answers come in any order, or never.
        if draw_lots(3) == 0 && !asked.is_empty() {
            let step = match asked.swap_remove(draw_lots(asked.len() as u64) as usize) {
                Step::Ask(Question::Search { number, .. }) => state.answer(Answer::Found(Found {
                    number,
                    rows: (0..draw_lots(30) as usize).map(row).collect(),
                    ..Found::default()
                })),
                Step::Ask(Question::Preview { number, .. }) => state.answer(Answer::Preview {
                    number,
                    preview: Preview {
                        lines: vec![PreviewLine::Note("note".to_owned()); draw_lots(9) as usize],
                        focus: 0,
                    },
                }),
                other => panic!("{other:?}"),
            };
            if matches!(step, Step::Ask(_)) {
                asked.push(step);
            }
        }
        assert!(state.selected < state.found.rows.len().max(1), "round {round}");
        assert!(
            state.query.text().starts_with(state.query.before()),
            "round {round}"
        );
        assert!(
            !state
                .query
                .text()
                .contains(|c: char| c.is_control() || c == '\u{202e}')
        );
        if round % 400 == 0 {
            let (width, height) = (1 + draw_lots(130) as u16, 1 + draw_lots(30) as u16);
            let _ = drawn(&state, width, height);
        }
    }
}
