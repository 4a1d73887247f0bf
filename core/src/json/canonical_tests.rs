use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Characters with a special place in strings or in the order of keys.
fn text() -> impl Strategy<Value = String> {
    let special = prop::sample::select(vec![
        '\0',
        '\u{1}',
        '\u{8}',
        '\t',
        '\n',
        '\u{b}',
        '\u{c}',
        '\r',
        '\u{1f}',
        '"',
        '\\',
        '/',
        '\u{7f}',
        'é',
        '\u{2028}',
        '\u{d7ff}',
        '\u{e000}',
        '\u{ffff}',
        '\u{10000}',
        '😀',
        '\u{10ffff}',
    ]);
    let character = prop_oneof![4 => special, 4 => prop::char::range('a', 'd'), 1 => any::<char>()];
    prop::collection::vec(character, 0..6).prop_map(|characters| characters.into_iter().collect())
}

fn value() -> impl Strategy<Value = Value> {
    let limit = i64::try_from(MAX_INTEGER).unwrap();
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-limit..=limit).prop_map(Value::from),
        (-20_i64..20).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    prop::collection::btree_map(text(), value(), 0..6)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

proptest! {
    #[test]
    fn equals_the_published_canonicaliser(value in value()) {
        prop_assert_eq!(to_canonical(&value).unwrap(), serde_json_canonicalizer::to_string(&value).unwrap());
    }

    #[test]
    fn orders_keys_by_utf16(left in text(), right in text()) {
        let expected = left.encode_utf16().cmp(right.encode_utf16());
        prop_assert_eq!(utf16_order(left.bytes(), right.bytes()), expected);
    }

    #[test]
    fn a_canonical_line_is_accepted_and_taken_apart(value in object()) {
        let line = to_canonical(&value).unwrap();
        let members = check_line(&line).unwrap();
        let map = value.as_object().unwrap();
        prop_assert_eq!(members.keys().count(), map.len());
        for (key, member) in map {
            let raw = to_canonical(member).unwrap();
            prop_assert_eq!(members.get(key), Some(raw.as_str()));
            let mut rest = map.clone();
            rest.remove(key);
            prop_assert_eq!(members.without(key).concat(), to_canonical(&rest).unwrap());
        }
        prop_assert_eq!(members.get("no such key"), None);
        prop_assert_eq!(members.without("no such key").concat(), line.clone());
    }

    #[test]
    fn one_changed_byte_is_noticed(value in object(), place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = to_canonical(&value).unwrap().into_bytes();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        if let Ok(line) = String::from_utf8(bytes) {
            accepts_exactly_the_canonical(&line)?;
        }
    }

    #[test]
    fn one_added_or_lost_byte_is_noticed(
        value in object(), place in any::<prop::sample::Index>(), added in prop::option::of(0_u8..0x80),
    ) {
        let mut bytes = to_canonical(&value).unwrap().into_bytes();
        let place = place.index(bytes.len());
        match added {
            Some(byte) => bytes.insert(place, byte),
            None => drop(bytes.remove(place)),
        }
        if let Ok(line) = String::from_utf8(bytes) {
            accepts_exactly_the_canonical(&line)?;
        }
    }

    #[test]
    fn accepts_no_text_that_only_looks_alike(line in "\\{[\\[\\]{}:,\"ab\\\\u0015bnE.+truefalsn -]{0,16}\\}") {
        accepts_exactly_the_canonical(&line)?;
    }
}

/// The naive model: an object that equals what the published canonicaliser makes of it, without wide numbers.
fn accepts_exactly_the_canonical(line: &str) -> Result<(), TestCaseError> {
    let is_canonical = serde_json::from_str::<Value>(line).is_ok_and(|value| {
        value.is_object()
            && to_canonical(&value).is_ok()
            && serde_json_canonicalizer::to_string(&value).is_ok_and(|canonical| canonical == line)
    });
    prop_assert_eq!(check_line(line).is_ok(), is_canonical, "{}", line);
    Ok(())
}

#[test]
fn refuses_what_has_no_canonical_form() {
    let error = to_canonical(&json!({"a": [1, {"b": 1.5}]})).unwrap_err();
    assert_eq!(error, CanonicalError::Number { found: "1.5".to_owned(), path: "a[1].b".to_owned() });
    assert!(to_canonical(&(MAX_INTEGER + 1)).is_err());
    assert!(to_canonical(&(-9_007_199_254_740_992_i64)).is_err());
    assert_eq!(to_canonical(&-9_007_199_254_740_991_i64).unwrap(), "-9007199254740991");
    assert!(to_canonical(&f64::from(1_u8)).is_err());
    assert!(matches!(to_canonical(&BTreeMap::from([(vec![1], 2)])), Err(CanonicalError::NoJson { .. })));
    let nested = |depth: usize| (0..depth).fold(json!(1), |value, _| json!([value]));
    assert!(to_canonical(&nested(64)).is_ok());
    assert!(matches!(to_canonical(&nested(65)), Err(CanonicalError::TooDeep { limit: 64, .. })));
}

#[test]
fn names_the_first_difference() {
    for (line, at, expected) in [
        ("", 0, "`{`"),
        ("[]", 0, "`{`"),
        ("{\"a\": 1}", 5, "a value"),
        ("{\"b\":1,\"a\":2}", 8, "a key after `b`"),
        ("{\"a\":1,\"a\":2}", 8, "a key after `a`"),
        ("{\"a\":01}", 5, "an integer of at most 53 bits in its shortest form"),
        ("{\"a\":-0}", 5, "an integer of at most 53 bits in its shortest form"),
        ("{\"a\":1.0}", 5, "an integer of at most 53 bits in its shortest form"),
        ("{\"a\":9007199254740992}", 5, "an integer of at most 53 bits in its shortest form"),
        ("{\"a\":\"\\/\"}", 6, "the shortest form of the character"),
        ("{\"a\":\"\\u000A\"}", 6, "the shortest form of the character"),
        ("{\"a\":\"\\ud83d\\ude00\"}", 6, "the shortest form of the character"),
        ("{\"a\":[1 ]}", 7, "`,` or `]`"),
        ("{\"a\":1]", 6, "`,` or `}`"),
        ("{\"a\":1}\n", 7, "the end of the line"),
        ("{\"a\":1", 6, "`,` or `}`"),
        ("{\"a", 3, "`\"`"),
        ("{,}", 1, "a key"),
    ] {
        let error = check_line(line).unwrap_err();
        assert_eq!((error.at, error.expected.as_str()), (at, expected), "{line}");
    }
}

#[test]
fn nesting_costs_no_stack() {
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(check_line(&nested(63)).is_ok());
    assert_eq!(check_line(&nested(64)).unwrap_err().expected, "at most 64 levels");
    assert!(check_line(&nested(1_000_000)).is_err());
}

#[test]
fn get_plain_gives_only_strings_without_escapes() {
    let members = check_line(r#"{"a":"x","b":"\n","c":1}"#).unwrap();
    assert_eq!(members.get_plain("a"), Some("x"));
    assert_eq!(members.get_plain("b"), None);
    assert_eq!(members.get_plain("c"), None);
}

/// Prints a rate; run it with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::disallowed_types, reason = "a measurement needs a clock")]
fn measures_the_rate_of_check_line() {
    let entry = json!({
        "schema": "ralplan.entry.v1", "seq": 12, "at": "2026-01-02T03:04:05.678Z", "event": "written",
        "actor": {"role": "critic", "kind": "agent", "agent_id": "a-1", "session_id": "s-1", "assurance": "driven"},
        "stage": "critic", "stage_n": 2, "iteration": 2, "pass": 2, "path": "stage-02-critic.md",
        "sha256": "0".repeat(64), "bytes": 4711, "prev": "1".repeat(64), "hash": "2".repeat(64),
        "sections": (0..20).map(|n| (format!("section-{n}"), json!("3".repeat(64)))).collect::<BTreeMap<_, _>>(),
    });
    let line = to_canonical(&entry).unwrap();
    let mut best = f64::INFINITY;
    for _ in 0..1_000 {
        let start = std::time::Instant::now();
        for _ in 0..1_000 {
            assert!(check_line(std::hint::black_box(&line)).is_ok());
        }
        best = best.min(start.elapsed().as_secs_f64() / 1e3);
    }
    println!("{:.0} MB/s", f64::from(u32::try_from(line.len()).unwrap()) / 1e6 / best);
}
