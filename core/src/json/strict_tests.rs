use proptest::prelude::*;
use serde_json::json;

use super::*;

fn code(bytes: &[u8]) -> (&'static str, String) {
    let error = parse(bytes, &Limits::default()).unwrap_err();
    (error.code(), error.path().to_owned())
}

#[test]
fn reads_what_json_allows() {
    let text = r#" { "a" : [ 1 , -2, 0, true, false, null, "x\u00e9\n\ud83d\ude00\/", {}, [] ],
        "z" : { "" : 9007199254740991 } } "#;
    let value = parse(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(
        value,
        json!({"a": [1, -2, 0, true, false, null, "xé\n😀/", {}, []], "z": {"": 9_007_199_254_740_991_u64}})
    );
}

#[test]
fn names_the_code_and_the_path() {
    let cases: &[(&[u8], &str, &str)] = &[
        (b"", "input.not_json", "."),
        (b"{\"a\": tru}", "input.not_json", "a"),
        (b"[1, 2,]", "input.not_json", "[2]"),
        (b"{\"a\":1,}", "input.not_json", "."),
        (b"{'a':1}", "input.not_json", "."),
        (b"{} {}", "input.not_json", "."),
        (b"[01]", "input.not_json", "[0]"),
        (b"[-]", "input.not_json", "[0]"),
        (b"[1.]", "input.not_json", "[0]"),
        (b"[NaN]", "input.not_json", "[0]"),
        (b"[\"a\tb\"]", "input.not_json", "[0]"),
        (b"[\"\\x\"]", "input.not_json", "[0]"),
        (b"[\"\\u12g4\"]", "input.not_json", "[0]"),
        (b"\"open", "input.not_json", "."),
        (b"// no\n1", "input.not_json", "."),
        (b"[\"\xff\"]", "input.not_utf8", "."),
        (b"[\"\xed\xa0\x80\"]", "input.not_utf8", "."),
        (b"\xef\xbb\xbf{}", "input.byte_order_mark", "."),
        (b"\xff\xfe{\0}\0", "input.byte_order_mark", "."),
        (b"\0\0\0", "input.nul", "."),
        (b"{}\0", "input.nul", "."),
        (b"{\"a\":\"\0\"}", "input.nul", "a"),
        (b"{\"a\":\"\\u0000\"}", "input.nul", "a"),
        (b"{\"a\\u0000\":1}", "input.nul", "."),
        (b"{\"a\":[{\"b\":1,\"\\u0062\":2}]}", "input.duplicate_key", "a[0]"),
        (b"{\"a\":[1.5]}", "input.number", "a[0]"),
        (b"{\"a\":1e3}", "input.number", "a"),
        (b"{\"a\":1E-3}", "input.number", "a"),
        (b"{\"a\":-0}", "input.number", "a"),
        (b"9007199254740992", "input.number", "."),
        (b"-9007199254740992", "input.number", "."),
        (b"123456789012345678901234567890", "input.number", "."),
        (b"[\"\\ud800\"]", "input.surrogate", "[0]"),
        (b"[\"\\udc00\"]", "input.surrogate", "[0]"),
        (b"[\"\\ud800\\ud800\"]", "input.surrogate", "[0]"),
        (b"[\"\\ud800\\u0041\"]", "input.surrogate", "[0]"),
    ];
    for (text, expected, path) in cases {
        assert_eq!(code(text), (*expected, (*path).to_owned()), "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn says_what_was_expected_and_found() {
    let message = |text: &str| parse(text.as_bytes(), &Limits::default()).unwrap_err().to_string();
    assert_eq!(message("{\n \"é\" 1}"), "expected `:`, found `1` at line 2, column 6 (`.`)");
    assert_eq!(
        message("{\"a\":{\"b\":1,\"b\":2}}"),
        "expected each key once, found `b` again at line 1, column 13 (`a`)"
    );
    assert_eq!(
        message("{\"a\":1.5}"),
        "expected an integer from -9007199254740991 to 9007199254740991, found `1.5` at line 1, column 6 (`a`)"
    );
}

#[test]
fn keeps_to_the_limits() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(nested(64).as_bytes(), &Limits::default()).is_ok());
    assert_eq!(code(nested(65).as_bytes()).0, "input.too_deep");
    assert_eq!(code("[".repeat(1_000_000).as_bytes()).0, "input.too_deep");
    assert_eq!(code("{\"a\":".repeat(1_000_000).as_bytes()).0, "input.too_deep");
    let generous = Limits { depth: usize::MAX, ..Limits::default() };
    assert_eq!(parse(nested(129).as_bytes(), &generous).unwrap_err().code(), "input.too_deep");
    let small = Limits { bytes: 3, ..Limits::default() };
    assert!(parse(b"123", &small).is_ok());
    assert_eq!(parse(b"1234", &small).unwrap_err(), JsonError::TooLarge { limit: 3, found: 4 });
}

proptest! {
    #[test]
    fn never_panics_and_agrees_with_serde_json(text in "[\\[\\]{}:, \"a\\\\u0018dn.eE+tr-]{0,24}") {
        let loose = serde_json::from_str::<Value>(&text);
        match parse(text.as_bytes(), &Limits::default()) {
            Ok(value) => prop_assert_eq!(loose.unwrap(), value),
            Err(JsonError::NotJson { .. }) => prop_assert!(loose.is_err(), "{}", text),
            Err(_) => {}
        }
    }

    #[test]
    fn never_panics_on_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = parse(&bytes, &Limits::default());
    }
}
