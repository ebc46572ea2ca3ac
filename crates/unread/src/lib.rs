//! Bounded scanner for Pi sessions that end in an unanswered user message.
