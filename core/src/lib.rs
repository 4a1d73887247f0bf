//! The decisions of ralplan: agents propose, the core decides, the ledger remembers.
//!
//! The crate does no input or output and reads no clock: time, ids and what a host saw arrive in the command. A host
//! opens a ledger, asks what a command [`needs`](run::Run::needs), [`decide`](run::Run::decide)s it, carries out the
//! effects in order and [`commit`](run::Run::commit)s the line.
#![forbid(unsafe_code)]

pub mod document;
pub mod intake;
pub mod json;
pub mod ledger;
pub mod limits;
pub mod protocol;
pub mod reason;
pub mod review;
pub mod run;
