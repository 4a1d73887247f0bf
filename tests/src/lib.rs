//! What crosses the crates of ralplan.
