use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Agent,
    Person,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Actor {
    kind: Kind,
    #[serde(default)]
    session_id: Option<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Request {
    actor: Actor,
    #[serde(default)]
    passes: Vec<u8>,
    #[serde(default)]
    notes: BTreeMap<String, bool>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
enum Command {
    Start { actor: Actor, task: String },
    Cancel { passes: Vec<u8> },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its errors matter")]
enum Either {
    Text(String),
    Number(u8),
}

fn refused<T: DeserializeOwned + std::fmt::Debug>(value: Value) -> ShapeError {
    from_value::<T>(value).unwrap_err()
}

#[test]
fn reads_what_fits() {
    let text = br#"{"actor": {"kind": "agent", "session_id": "s"}, "passes": [1, 2], "notes": {"a": true}}"#;
    let request: Request = from_text(text, &Limits::default()).unwrap();
    assert_eq!(request.actor, Actor { kind: Kind::Agent, session_id: Some("s".to_owned()) });
}

#[test]
fn names_code_path_and_hint() {
    let cases = [
        (
            json!({"actor": {"kind": "agent", "sesion_id": "s"}}),
            "input.unknown_field",
            "actor.sesion_id",
            Some("session_id"),
        ),
        (json!({"actr": {}}), "input.unknown_field", "actr", Some("actor")),
        (json!({"x`, expected `y": {}}), "input.unknown_field", "x`, expected `y", None),
        (json!({"actor": {}}), "input.missing_field", "actor", None),
        (json!({}), "input.missing_field", ".", None),
        (json!({"actor": {"kind": "agnet"}}), "input.unknown_value", "actor.kind", Some("agent")),
        (json!({"actor": {"kind": 1}}), "input.wrong_type", "actor.kind", None),
        (json!({"actor": {"kind": "agent", "session_id": []}}), "input.wrong_type", "actor.session_id", None),
        (
            json!({"actor": {"kind": "agent"}, "passes": [1, "a, expected b"]}),
            "input.wrong_type",
            "passes[1]",
            None,
        ),
        (json!({"actor": {"kind": "agent"}, "passes": [1, 300]}), "input.unknown_value", "passes[1]", None),
        (
            json!({"actor": {"kind": "agent"}, "notes": {"a": true, "b.c": null}}),
            "input.wrong_type",
            "notes.b.c",
            None,
        ),
        (json!([]), "input.wrong_type", ".", None),
        (json!("x"), "input.wrong_type", ".", None),
    ];
    for (value, code, path, hint) in cases {
        let error = refused::<Request>(value);
        assert_eq!((error.code, error.path.as_str(), error.hint.as_deref()), (code, path, hint), "{error}");
    }
}

#[test]
fn finds_the_place_inside_a_tagged_union() {
    let cases = [
        (json!({"command": "strat"}), "input.unknown_value", "command", Some("start")),
        (json!({"task": "t"}), "input.missing_field", ".", None),
        (
            json!({"command": "start", "task": "t", "actor": {"kin": "agent"}}),
            "input.unknown_field",
            "actor.kin",
            Some("kind"),
        ),
        (
            json!({"command": "start", "task": "t", "actor": {"kind": "agnet"}}),
            "input.unknown_value",
            "actor.kind",
            Some("agent"),
        ),
        (
            json!({"command": "start", "task": 5, "actor": {"kind": "agent"}}),
            "input.wrong_type",
            "task",
            None,
        ),
        (json!({"command": "cancel", "passes": [1, -2]}), "input.unknown_value", "passes[1]", None),
        (json!({"command": "cancel", "passes": [], "tsak": 1}), "input.unknown_field", "tsak", None),
    ];
    for (value, code, path, hint) in cases {
        let error = refused::<Command>(value);
        assert_eq!((error.code, error.path.as_str(), error.hint.as_deref()), (code, path, hint), "{error}");
    }
}

#[test]
fn speaks_without_names_of_rust_types() {
    let message = |error: ShapeError| error.to_string();
    assert_eq!(
        message(refused::<Request>(json!({"actor": {"kind": "agent", "sesion_id": "s"}}))),
        "expected one of `kind`, `session_id`, found the unknown field `sesion_id` at `actor.sesion_id`; did you mean `session_id`?"
    );
    assert_eq!(
        message(refused::<Request>(json!({}))),
        "expected the field `actor`, found no such field at `.`"
    );
    assert_eq!(
        message(refused::<Request>(json!({"actor": 1}))),
        "expected an object, found the number `1` at `actor`"
    );
    assert_eq!(
        message(refused::<Kind>(json!("boss"))),
        "expected one of `agent`, `person`, found `boss` at `.`"
    );
    assert_eq!(
        message(refused::<Nothing>(json!({"a": 1}))),
        "expected no name, found the unknown field `a` at `a`"
    );
    assert_eq!(
        message(refused::<Either>(json!(null))),
        "expected one of the documented forms, found null at `.`"
    );
    assert_eq!(
        message(refused::<Vec<u8>>(json!([300]))),
        "expected an integer from 0 up within the field's range, found the number `300` at `[0]`"
    );
    assert_eq!(message(refused::<(u8, u8)>(json!([1]))), "expected an array, found 1 items at `.`");
}

#[test]
fn joins_both_kinds_of_error() {
    let code = |text: &[u8]| from_text::<Request>(text, &Limits::default()).unwrap_err();
    assert_eq!(code(b"{").code(), "input.not_json");
    assert_eq!(code(b"{\"actor\":{\"kind\":\"x\"}}").path(), "actor.kind");
    assert_eq!(code(b"{\"actor\":{\"kind\":1.5}}").path(), "actor.kind");
}
