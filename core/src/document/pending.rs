#![allow(missing_docs)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use super::{Outline, Position};
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind { RalplanDr, Adr, Spec, Tasks }
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Level { Error, Hint }
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions { pub deliberate: bool }
pub struct Diagnostic { pub code: &'static str, pub severity: Level, pub position: Position, pub found: String, pub expected: String, pub hint: String }
pub fn check(_: &str, _: &Outline, _: DocumentKind, _: CheckOptions) -> Vec<Diagnostic> { Vec::new() }
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Impact { Low, Medium, High }
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OpenItem { pub item_id: String, pub text: String, pub impact: Impact, #[serde(default, skip_serializing_if = "Option::is_none")] pub default: Option<String> }
#[derive(Debug, thiserror::Error)]
#[error("x")]
pub struct ItemsError;
impl ItemsError { pub fn line(&self) -> u64 { 0 } }
pub fn read_open_items(_: &str, _: &Outline) -> Result<Vec<OpenItem>, ItemsError> { Ok(Vec::new()) }
