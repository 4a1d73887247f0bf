//! Reading what a person typed: risk words and invocations.
