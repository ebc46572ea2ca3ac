//! The most frequent words of the corpus, in the order of their rank.

/// Words that hold sentences together, by frequency.
pub(crate) const FUNCTION_WORDS: &str = "the to of a and is in that it for we this on with be not are as if so \
    you can have from or but by at an will when then there which was all has do what only one now should no they \
    its also into would how after out up them just because where more some any than other these does here could \
    before same each two still while already over first between without very about time once may their too both \
    every even instead most must like us like's our your his her who why such those until since during through \
    another back again down off under however later maybe always never often less least much many few several \
    three four five six ten yes okay sure please thanks let's don't doesn't isn't can't won't it's that's there's \
    i'll we'll you're I me my been being did done had having might shall whether though although rather quite \
    almost enough whole own itself nothing something anything everything someone nobody next last new old good \
    better best bad worse right wrong left long short small large high low fast slow clean simple exact real";

/// Words of software work. Verbs and nouns are inflected by the vocabulary, so that word forms occur as in real text.
pub(crate) const WORK_WORDS: &str = "file test error function build code run change type line call fix return \
    value add check module use read write name case branch commit index query result key string number thread \
    lock server client request response config option flag path folder crate package version release cache \
    buffer byte token parser lexer scanner reader writer stream socket port host user session message entry tree \
    node edge leaf root parent child fork merge rebase conflict diff patch review comment issue bug crash panic \
    trace log warning failure retry timeout delay queue worker task job schedule event handler callback promise \
    future channel signal process memory heap stack pointer reference borrow lifetime trait struct field method \
    interface class object property argument parameter variable constant loop iterator closure match pattern \
    regex literal escape quote encode decode parse serialize deserialize format schema table column row record \
    database transaction migration snapshot backup restore replica shard cluster deploy rollout rollback metric \
    counter gauge histogram latency throughput benchmark profile sample fixture mock stub assertion coverage \
    property fuzz seed corpus document page link anchor header footer button dialog modal layout style theme color \
    font icon image canvas shader texture sprite vertex animation frame render paint scroll focus keyboard mouse \
    input output terminal shell command script hook plugin extension adapter wrapper binding bridge proxy gateway \
    router endpoint handler middleware filter sort order rank score weight term posting segment compaction \
    snippet highlight prefix suffix substring match boundary offset length size limit quota budget threshold \
    window batch chunk block cursor page token secret password key certificate signature hash digest checksum salt \
    permission owner group role policy audit sandbox container volume mount network packet frame route address \
    domain record zone resolver cookie header body payload upload download import export archive compress \
    extract install upgrade remove rename move copy delete create open close start stop restart load store fetch \
    send receive connect listen accept reject validate normalize sanitize trim split join map reduce fold collect \
    group count sum average median variance drift skew clock timer interval calendar timezone locale currency \
    invoice payment refund order customer account balance ledger tax discount coupon cart product stock shipment \
    report chart dashboard alert notification email template attachment reminder calendar meeting agenda draft \
    compile link debug inspect step break watch attach detach allocate free leak grow shrink resize rotate \
    deadlock race contention starvation fairness backoff jitter idempotent duplicate stale orphan dangling \
    regression flaky brittle robust portable strict lenient explicit implicit lazy eager sparse dense nested flat \
    recursive iterative atomic durable volatile immutable shared exclusive optional required deprecated obsolete";

/// Words with letters beyond ASCII, as they turn up in names, comments and test data.
pub(crate) const ACCENTED_WORDS: &str = "café naïve façade Größe Straße über Änderung résumé déjà señal año coração \
    İstanbul žluťoučký kůň łódź smörgåsbord jalapeño Ångström Öl crème brûlée тест ошибка файл поиск δοκιμή λάθος \
    привет сессия индекс ключ 🙂 🚀 ✅ → ≥ µs °C";

/// How people open a request.
pub(crate) const OPENERS: &[&str] = &[
    "Can you",
    "Please",
    "Why does",
    "How do I",
    "What happens when",
    "I want to",
    "We need to",
    "Let's",
    "Could we",
    "Go ahead and",
    "Have a look at",
    "Explain",
    "It fails again:",
    "Now",
    "Next,",
    "Before that,",
    "Actually, no.",
    "Hmm,",
    "Same for",
    "Remember that",
];

/// How an assistant opens an answer.
pub(crate) const REPLIES: &[&str] = &[
    "Done.",
    "I found it.",
    "The cause is",
    "Here is what changed:",
    "I looked at",
    "That works now:",
    "Two things are going on.",
    "The short answer:",
    "All tests pass.",
    "I decided to",
    "I tried",
    "This turned out to be",
    "Summary of the change:",
    "There are three options.",
    "I would not do that:",
    "You are right,",
];

/// What an assistant says before it uses a tool.
pub(crate) const LEADS: &[&str] = &[
    "Let me look at",
    "Checking",
    "I'll start with",
    "Now I'll update",
    "Running the tests for",
    "Let me search for",
    "First I need to see",
    "Let me verify",
    "Next I'll change",
    "That points to",
];
