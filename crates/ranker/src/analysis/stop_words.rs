/// English words that say little about a text, as terms.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "arent", "as", "at",
    "be", "because", "been", "before", "being", "between", "both", "but", "by", "can", "cant", "could",
    "couldnt", "did", "didnt", "do", "does", "doesnt", "doing", "done", "dont", "during", "each", "either",
    "else", "ever", "every", "few", "for", "from", "further", "get", "got", "had", "hadnt", "has", "hasnt",
    "have", "havent", "having", "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in", "into",
    "is", "isnt", "it", "its", "just", "let", "lets", "many", "may", "me", "might", "more", "most", "much",
    "must", "my", "no", "nor", "not", "now", "of", "on", "one", "only", "or", "other", "our", "ours", "out",
    "over", "own", "please", "same", "she", "should", "so", "some", "such", "than", "that", "the", "their",
    "theirs", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too", "under",
    "until", "up", "us", "very", "was", "wasnt", "we", "were", "werent", "what", "when", "where", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "wont", "would", "you", "your",
];

/// True for terms that say little: articles, pronouns, question words, auxiliary verbs.
pub fn is_stop_word(term: &str) -> bool {
    STOP_WORDS.binary_search(&term).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && is_stop_word("your") && !is_stop_word("redis"));
    }
}
