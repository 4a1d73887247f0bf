//! Reading what a person typed: risk words and invocations.

pub mod risk;
mod risk_pattern;
mod risk_words;
mod words;

pub use risk::{Risk, RiskCategory, detect_risks};
