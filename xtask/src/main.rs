//! One command line for developers.

fn main() {}
