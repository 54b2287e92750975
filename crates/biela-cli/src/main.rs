//! The `biela` command.
fn main() {}
