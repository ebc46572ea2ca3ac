//! Chinese, Japanese and Korean: words without spaces between them, or with particles at their ends.

use super::writing::other_host;
use super::{Maker, words};

struct Language {
    kind: &'static str,
    things: &'static [&'static str],
    parts: &'static [&'static str],
    /// `{0}` and `{1}` belong together.
    together: &'static [&'static str],
    /// `{0}` alone.
    alone: &'static [&'static str],
    /// How the two are asked for.
    queries: &'static [&'static str],
}

const LANGUAGES: [Language; 3] = [
    Language {
        kind: "Chinese",
        things: words::CHINESE,
        parts: words::CHINESE_PARTS,
        together: &[
            "我们把{0}{1}放到单独的服务里，这样更稳定。",
            "线上的{0}{1}昨天晚上又超时了，请先看一下原因。",
            "现在的{0}{1}没有测试，改之前要先补上。",
        ],
        alone: &[
            "{0}的页面还有一个小问题。",
            "先不要动{0}，下周再说。",
            "关于{0}的文档已经更新，{0}的接口没有变。",
            "这里只是顺便提到{0}。",
        ],
        queries: &["{0}{1}", "{0} {1}", "{0}{1}"],
    },
    Language {
        kind: "Japanese",
        things: words::JAPANESE,
        parts: words::JAPANESE_PARTS,
        together: &[
            "{0}の{1}を別のサービスに移しました。",
            "昨日から{0}の{1}が遅いので、原因を調べてください。",
            "{0}の{1}にはまだテストがありません。",
        ],
        alone: &[
            "{0}の画面に小さな問題があります。",
            "{0}は来週まで触らないでください。",
            "{0}の説明を直しました。{0}の仕様は同じです。",
        ],
        queries: &["{0}の{1}", "{0} {1}", "{0} {1}"],
    },
    Language {
        kind: "Korean",
        things: words::KOREAN,
        parts: words::KOREAN_PARTS,
        together: &[
            "{0}의 {1}을 별도 서비스로 옮겼습니다.",
            "어제부터 {0}에서 {1}가 느려서 원인을 찾아야 합니다.",
            "{0}은 {1}부터 테스트를 추가해 주세요.",
        ],
        alone: &[
            "{0} 화면에 작은 문제가 있습니다.",
            "{0}은 다음 주까지 건드리지 마세요.",
            "{0}에 대한 문서를 고쳤고 {0}의 동작은 같습니다.",
        ],
        queries: &["{0} {1}", "{1} {0}", "{0} {1}"],
    },
];

pub(super) fn plant(maker: &mut Maker) {
    for language in &LANGUAGES {
        for number in 0..maker.per_kind {
            case(maker, language, number);
        }
    }
}

fn case(maker: &mut Maker, language: &Language, number: usize) {
    let key = maker.fresh(|random| {
        format!(
            "{} {}",
            random.one_of(language.things),
            random.one_of(language.parts)
        )
    });
    let Some((thing, part)) = key.split_once(' ') else {
        return;
    };
    let filled = |template: &str, one: &str, other: &str| template.replace("{0}", one).replace("{1}", other);
    let host = maker.host();
    let sentence = filled(maker.random.one_of(language.together), thing, part);
    let by_user = maker.random.once_in(2);
    maker.plant(host, by_user, &sentence);
    for word in [thing, part, thing, part] {
        let rival = other_host(maker, host);
        let sentence = filled(maker.random.one_of(language.alone), word, "");
        maker.plant(rival, false, &sentence);
    }
    let query = filled(language.queries[number % language.queries.len()], thing, part);
    maker.case(language.kind, host, query);
}
