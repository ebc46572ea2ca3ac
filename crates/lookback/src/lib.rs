//! Find, read, tag and resume past sessions of the Pi coding agent.
