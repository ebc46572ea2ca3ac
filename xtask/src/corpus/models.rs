//! The models that answer, their thinking levels, and what a request costs.

use std::fmt::Write;

use super::random::Random;

/// API, provider, model, and dollars per million tokens of input and output.
pub(crate) const MODELS: [(&str, &str, &str, f64, f64); 4] = [
    ("anthropic-messages", "anthropic", "claude-sonnet-4-5", 3.0, 15.0),
    ("anthropic-messages", "anthropic", "claude-opus-4-5", 5.0, 25.0),
    ("openai-responses", "openai", "gpt-6.2-sol", 1.75, 14.0),
    ("google-generative-ai", "google", "gemini-3-pro", 2.0, 12.0),
];
pub(crate) const LEVELS: [&str; 4] = ["off", "low", "medium", "high"];
/// Appends the field `usage`, with a comma before it.
pub(crate) fn usage(random: &mut Random, model: usize, out: &mut String) {
    let (.., input_price, output_price) = MODELS[model];
    let (input, output) = (random.between(3, 4_000), random.heavy(350.0, 1.8, 16_000));
    let (read, write) = (
        random.heavy(30_000.0, 2.0, 190_000),
        random.heavy(1_200.0, 1.8, 60_000),
    );
    // Millionths of a dollar, so that the sum is the sum of what is printed.
    let cost = |tokens: usize, price: f64| (tokens as f64 * price).round();
    let parts = [
        cost(input, input_price),
        cost(output, output_price),
        cost(read, input_price * 0.1),
        cost(write, input_price * 1.25),
    ];
    let _ = write!(
        out,
        ",\"usage\":{{\"input\":{input},\"output\":{output},\"cacheRead\":{read},\"cacheWrite\":{write},\"totalTokens\":{},\
         \"cost\":{{\"input\":{},\"output\":{},\"cacheRead\":{},\"cacheWrite\":{},\"total\":{}}}}}",
        input + output + read + write,
        parts[0] / 1e6,
        parts[1] / 1e6,
        parts[2] / 1e6,
        parts[3] / 1e6,
        parts.iter().sum::<f64>() / 1e6
    );
}
