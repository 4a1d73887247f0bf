//! The `ralplan` program.
#![forbid(unsafe_code)]

fn main() {}
