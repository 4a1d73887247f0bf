use proptest::prelude::*;

use super::*;

fn titles(text: &str) -> Vec<(u8, String)> {
    Outline::read(text).sections.into_iter().map(|section| (section.level, section.title)).collect()
}

fn anchors(text: &str) -> Vec<String> {
    Outline::read(text).anchors.into_iter().map(|anchor| anchor.id).collect()
}

#[test]
fn all_heading_forms_are_read() {
    let text = "# One #\n\nTwo\n===\n\nThree\n---\n\n### `Four` **and** more ###\n";
    assert_eq!(
        titles(text),
        [(1, "One".into()), (1, "Two".into()), (2, "Three".into()), (3, "`Four` and more".into())]
    );
}

#[test]
fn headings_that_are_no_headings_do_not_count() {
    for text in [
        "```\n# no\n```\n",
        "~~~\n# no\n~~~\n",
        "````\n```\n# no\n```\n````\n",
        "- item\n\n  ```sh\n  # no\n  ```\n",
        "```\n# no\n",
        "<!--\n# no\n-->\n",
        "<!-- open\n# no\n",
        "> # no\n",
        "    # no\n",
        "---\n# no\nkey: value\n---\n",
        "\u{FEFF}---\n# no\n---\n",
        "#no\n",
    ] {
        assert!(titles(text).is_empty(), "{text:?}");
    }
}

#[test]
fn a_thematic_break_at_the_start_is_no_front_matter() {
    assert_eq!(titles("---\n\n# yes\n\n---\n"), [(1, "yes".into())]);
    assert_eq!(titles("---\n# yes\n"), [(1, "yes".into())]);
}

#[test]
fn an_indented_fence_closes_and_the_rest_is_read() {
    let text = "# A\n\n1. step\n   ```sh\n   # comment\n   ```\n\n## B\n";
    assert_eq!(titles(text), [(1, "A".into()), (2, "B".into())]);
}

#[test]
fn anchors_are_stable_and_unique() {
    assert_eq!(
        anchors("# A b\n## A b\n## A-b\n# 위험 {#risk}\n- x {#item}\n# risk\n"),
        ["a-b", "a-b-2", "a-b-3", "risk", "item", "risk-2"]
    );
    assert_eq!(anchors("# risk\n# x {#risk}\n"), ["risk-2", "risk"]);
    assert_eq!(anchors("# x {#a}\n# y {#a}\n"), ["a", "a-2"]);
    assert_eq!(anchors("# 🎉\n# 🎉\n"), ["section", "section-2"]);
}

#[test]
fn bodies_end_where_the_next_section_starts() {
    let text = "# A\na\n### B\nb\n## C\n## D\nd\n# E";
    let outline = Outline::read(text);
    let part = |range: &Range<usize>| text.get(range.clone()).unwrap().to_owned();
    let bodies: Vec<_> = outline.sections.iter().map(|s| (part(&s.body), part(&s.own_body))).collect();
    assert_eq!(bodies[0], ("a\n### B\nb\n## C\n## D\nd\n".into(), "a\n".into()));
    assert_eq!(bodies[1], ("b\n".into(), "b\n".into()));
    assert_eq!(bodies[2], (String::new(), String::new()));
    assert_eq!(bodies[4], (String::new(), String::new()));
}

#[test]
fn digests_ignore_line_endings_and_trailing_blank_lines() {
    let digest = |text: &str| Outline::read(text).sections[0].digest.clone();
    assert_eq!(digest("# A\nx\n"), digest("# A\r\nx\r\n\r\n"));
    assert_ne!(digest("# A\nx\n"), digest("# A\ny\n"));
    assert_ne!(digest("# A\nx\n"), digest("# B\nx\n"));
    assert_eq!(digest("# A\nx\n## B\ny"), digest("# A\nx\n\n## C\n"));
}

#[test]
fn an_item_anchor_leads_to_its_section() {
    let outline = Outline::read("# A\n- one {#one}\n  more\n# B\n");
    assert_eq!(outline.find("one").unwrap().title, "A");
    assert!(outline.find("two").is_none());
}

#[test]
fn a_hundred_thousand_equal_headings_are_read() {
    let text = "# same\n".repeat(100_000);
    let outline = Outline::read(&text);
    assert_eq!(outline.sections.len(), 100_000);
    assert_eq!(outline.sections[99_999].anchor, "same-100000");
}

#[test]
fn deep_nesting_is_read() {
    for text in [">".repeat(20_000), "- ".repeat(5_000) + "# x", "[".repeat(20_000), "*a _b ".repeat(5_000)] {
        let _ = Outline::read(&text);
    }
}

proptest! {
    #[test]
    fn spans_lie_on_boundaries_and_nest(text in "([#>`~*|:\\- \r\n\t<!{}a1é한]|# |- |\n\n|```|<!--|-->|---|\\{#a\\}){0,60}") {
        let outline = Outline::read(&text);
        let mut last = 0;
        for section in &outline.sections {
            prop_assert!(section.span.start >= last);
            last = section.span.start;
            for range in [&section.span, &section.body, &section.own_body] {
                prop_assert!(text.get(range.clone()).is_some());
            }
            prop_assert!(section.span.end <= section.body.start);
            prop_assert!(section.own_body.end <= section.body.end);
            prop_assert_eq!(section.digest.len(), 64);
        }
        let unique: std::collections::BTreeSet<_> = outline.anchors.iter().map(|anchor| &anchor.id).collect();
        prop_assert_eq!(unique.len(), outline.anchors.len());
    }

    #[test]
    fn any_text_has_an_outline(text in any::<String>()) {
        let _ = Outline::read(&text);
    }
}
