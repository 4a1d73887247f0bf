use proptest::prelude::*;

use super::super::diagnostic::Level;
use super::super::plan::PlanFacts;
use super::*;

fn run(text: &str, kind: DocumentKind, deliberate: bool) -> Vec<Diagnostic> {
    check(text, &Outline::read(text), kind, CheckOptions { deliberate })
}

fn codes(text: &str, kind: DocumentKind) -> Vec<(&'static str, Level)> {
    run(text, kind, false).into_iter().map(|found| (found.code, found.severity)).collect()
}

fn errors(text: &str, kind: DocumentKind) -> Vec<&'static str> {
    codes(text, kind).into_iter().filter(|(_, level)| *level == Level::Error).map(|(code, _)| code).collect()
}

fn counts(text: &str) -> (usize, usize, usize) {
    let facts = PlanFacts::read(text, &Outline::read(text));
    (facts.principles, facts.drivers, facts.options)
}

const PRINCIPLES: &str = "### Principles (4)\n1. a\n2. b\n3. c\n4. d\n\n";
const DRIVERS: &str = "### Decision Drivers (top 3)\n1. a\n2. b\n3. c\n\n";
const OPTIONS: &str = "### Viable Options (>=2)\n#### Option A — local file (RECOMMENDED)\nPros:\n- x\n\nCons:\n- y\n\n\
                       #### Option B — server\n- Pros: x\n- Cons: y\n\n";

fn draft(principles: &str, drivers: &str, options: &str) -> String {
    format!("# Plan\n\n## RALPLAN-DR Summary (Short Mode)\n{principles}{drivers}{options}")
}

#[test]
fn case_21_a_complete_draft_passes() {
    let text = draft(PRINCIPLES, DRIVERS, OPTIONS);
    assert_eq!(codes(&text, DocumentKind::RalplanDr), []);
    assert_eq!(counts(&text), (4, 3, 2));
    assert_eq!(codes(&text.replace('\n', "\r\n"), DocumentKind::RalplanDr), []);
}

#[test]
fn parts_may_be_siblings_at_any_level() {
    let text = draft(
        &PRINCIPLES.replace("###", "##"),
        &DRIVERS.replace("###", "#"),
        &OPTIONS.replace("### V", "## V"),
    );
    assert_eq!(codes(&text, DocumentKind::RalplanDr), []);
}

#[test]
fn case_23_seven_principles_are_too_many() {
    let seven = "### Guiding Principles\n1. a\n2. b\n3. c\n4. d\n5. e\n6. f\n7. g\n\n";
    let found = run(&draft(seven, DRIVERS, OPTIONS), DocumentKind::RalplanDr, false);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].code, found[0].found.as_str(), found[0].position.line),
        ("document.principles", "7", 4)
    );
}

#[test]
fn case_24_options_in_a_table() {
    let table = "### Options\n| Option | Pros | Cons |\n| --- | --- | --- |\n| a | x | y |\n| b | x | y |\n| c | x \\| z | y |\n";
    let text = draft(PRINCIPLES, DRIVERS, table);
    assert_eq!(codes(&text, DocumentKind::RalplanDr), []);
    assert_eq!(counts(&text).2, 3);
    let lacking = table.replace("| c | x \\| z | y |", "| c | x | |");
    assert_eq!(
        errors(&draft(PRINCIPLES, DRIVERS, &lacking), DocumentKind::RalplanDr),
        ["document.option_sides"]
    );
}

#[test]
fn case_26_one_option_with_reasons() {
    let one = "### Viable Options\n- **Option A — file**\n  - Pros: x\n  - Cons: y\n\n";
    assert_eq!(errors(&draft(PRINCIPLES, DRIVERS, one), DocumentKind::RalplanDr), ["document.options"]);
    let reason =
        format!("{one}### Invalidation rationale\n- a server costs too much\n- a cloud is not allowed\n");
    assert_eq!(codes(&draft(PRINCIPLES, DRIVERS, &reason), DocumentKind::RalplanDr), []);
    let hollow = format!("{one}### Invalidation rationale\nTBD\n");
    assert_eq!(errors(&draft(PRINCIPLES, DRIVERS, &hollow), DocumentKind::RalplanDr), ["document.options"]);
}

#[test]
fn case_30_a_reference_is_no_list() {
    let text = draft("### Principles retained\nItems 1-5 as in stage 1.\n\n", DRIVERS, OPTIONS);
    assert_eq!(errors(&text, DocumentKind::RalplanDr), ["document.by_reference"]);
    let listed =
        draft("### Principles retained\nUnchanged from stage 1:\n\n1. a\n2. b\n3. c\n\n", DRIVERS, OPTIONS);
    assert_eq!(codes(&listed, DocumentKind::RalplanDr), []);
}

#[test]
fn options_count_in_every_form() {
    for (options, count) in [
        ("### Options\n**Option A: x.** Pros: a. Cons: b.\n\n**Option B: y.** Pros: a. Cons: b.\n", 2),
        (
            "### Options\n**Option A — x**\n- Pros: a\n- Cons: b\n\n**Option B — y**\n- Pros: a\n- Cons: b\n",
            2,
        ),
        ("### Options\n1. x. Pros: a. Cons: b\n2. y. Pros: a. Cons: b\n3. z. Pros: a. Cons: b\n", 3),
        ("### Options\n- **Opt A** x\n  + cheap\n  - slow\n- **Opt B** y\n  + cheap\n  - slow\n", 2),
        ("### Options\n#### A. x\nPros: a\nCons: b\n#### B. y\nPros: a\nCons: b\n", 2),
        ("### 대안\n- 대안 A: x\n  - 장점: a\n  - 단점: b\n- 대안 B: y\n  - 장점: a\n  - 단점: b\n", 2),
        (
            "### Options\n#### Storage\n##### Option A — x\nPros: a\nCons: b\n##### Option B — y\nPros: a\nCons: b\n",
            2,
        ),
    ] {
        let text = draft(PRINCIPLES, DRIVERS, options);
        assert_eq!((counts(&text).2, codes(&text, DocumentKind::RalplanDr)), (count, vec![]), "{options}");
    }
}

#[test]
fn options_without_any_marker_are_a_hint() {
    let text = draft(PRINCIPLES, DRIVERS, "### Options\n1. x is cheap\n2. y is slow\n");
    assert_eq!(codes(&text, DocumentKind::RalplanDr), [("document.option_sides", Level::Hint)]);
}

#[test]
fn an_empty_draft_lacks_everything() {
    let missing = ["document.drivers", "document.options", "document.principles"];
    assert_eq!(errors("# Plan\n", DocumentKind::RalplanDr), missing);
    let fenced = format!("```\n{}\n```\n", draft(PRINCIPLES, DRIVERS, OPTIONS));
    assert_eq!(errors(&fenced, DocumentKind::RalplanDr), missing);
}

#[test]
fn deliberate_mode_asks_for_more() {
    let text = draft(PRINCIPLES, DRIVERS, OPTIONS);
    let codes: Vec<_> = run(&text, DocumentKind::RalplanDr, true).iter().map(|found| found.code).collect();
    assert_eq!(codes, ["document.premortem", "document.test_plan"]);
    let full = format!(
        "{text}## Pre-mortem (3 scenarios)\n### One\n- a\n- b\n### Two\n- c\n### Three\n- d\n\n## Expanded Test Plan\n- Unit: a\n- Integration: b\n- E2E: c\n- Observability: d\n"
    );
    assert_eq!(run(&full, DocumentKind::RalplanDr, true), []);
    let partial = run(&full.replace("- E2E: c\n", ""), DocumentKind::RalplanDr, true);
    assert_eq!(
        (partial[0].code, partial[0].found.as_str()),
        ("document.test_plan", "only unit, integration, observability")
    );
    let two = run(&full.replace("### Three\n- d\n", ""), DocumentKind::RalplanDr, true);
    assert_eq!((two[0].code, two[0].found.as_str()), ("document.premortem", "2"));
}

#[test]
fn case_31_a_record_as_a_table() {
    let text = "## 7. ADR — cache layer\n\n| Field | Text |\n| --- | --- |\n| Decision | a |\n| Drivers | b |\n| Alternatives | c |\n| Why | d |\n| Consequences | e |\n| Follow-ups (v2) | f |\n";
    assert_eq!(codes(text, DocumentKind::Adr), []);
    let found = run(&text.replace("| Why | d |\n", ""), DocumentKind::Adr, false);
    assert_eq!(
        (found.len(), found[0].code, found[0].expected.as_str()),
        (1, "document.adr_field", "the field `Why chosen`")
    );
}

#[test]
fn records_in_every_form() {
    for text in [
        "## ADR\n### Decision\na\n### Decision Drivers\nb\n### Alternatives Considered\nc\n### Why Chosen\nd\n### Consequences\ne\n### Follow-ups\nf\n",
        "## ADR\n- **Decision**: a\n- **Drivers**: b\n- **Alternatives considered**: c\n- **Why chosen**: d\n- **Consequences**: e\n- **Follow-ups**: f\n",
        "## ADR\n**Decision.** a\n\n**Drivers.** b\n\n**Alternatives rejected.** c\n\n**Why chosen:** d\n\n**Consequences:** e\n\n**Follow-ups:** f\n",
        "## ADR\nDecision: a\nDrivers: b\nAlternatives: c\nWhy: d\nConsequences: e\nFollow-ups: f\n",
        "## ADR\n1. Decision: a\n2. Drivers: b\n3. Alternatives: c\n4. Why chosen: d\n5. Consequences: e\n6. Follow-ups: f\n",
        "## ADR\n### 결정\na\n### 동인\nb\n### 대안\nc\n### 선택 이유\nd\n### 결과\ne\n### 후속 작업\nf\n",
        "## ADR\n### 决策\na\n### 驱动因素\nb\n### 备选方案\nc\n### 选择原因\nd\n### 后果\ne\n### 后续\nf\n",
        "## Decision\na\n## Drivers\nb\n## Alternatives\nc\n## ADR\n- Decision: a\n- Why chosen: d\n- Consequences: e\n- Follow-ups: f\n",
    ] {
        assert_eq!(codes(text, DocumentKind::Adr), [], "{text}");
    }
    assert_eq!(errors("# Plan\n", DocumentKind::Adr), ["document.adr"]);
    assert_eq!(errors("## ADR\nTBD\n", DocumentKind::Adr), ["document.placeholder"]);
    assert_eq!(errors("## ADR\nUnchanged from stage 2.\n", DocumentKind::Adr), ["document.by_reference"]);
}

#[test]
fn decision_drivers_are_no_decision() {
    let text = "## ADR\n### Decision Drivers\nb\n### Alternatives\nc\n### Why Chosen\nd\n### Consequences\ne\n### Follow-ups\nf\n";
    let found = run(text, DocumentKind::Adr, false);
    assert_eq!((found.len(), found[0].expected.as_str()), (1, "the field `Decision`"));
}

#[test]
fn case_33_six_placeholders_and_nothing_else() {
    let text = "## ADR (placeholder, filled after consensus)\n### Decision\nTBD\n### Drivers\nTBD\n### Alternatives\nTBD\n### Why chosen\nTBD\n### Consequences\nTBD\n### Follow-ups\nTBD\n";
    assert_eq!(errors(text, DocumentKind::Adr), ["document.placeholder"; 6]);
    let labels = "## ADR\n- Decision: TBD\n- Drivers: TBD\n- Alternatives: TBD\n- Why: TBD\n- Consequences: TBD\n- Follow-ups: TBD\n";
    assert_eq!(errors(labels, DocumentKind::Adr), ["document.placeholder"; 6]);
}

#[test]
fn the_word_todo_in_prose_is_no_placeholder() {
    let text =
        draft("## Principles\n1. Every TODO is removed\n2. TBD marks are refused\n3. c\n", DRIVERS, OPTIONS);
    assert_eq!(codes(&text, DocumentKind::RalplanDr), []);
    let hollow = draft("## Principles\nTBD\n\n", DRIVERS, OPTIONS);
    assert_eq!(errors(&hollow, DocumentKind::RalplanDr), ["document.placeholder"]);
}

#[test]
fn case_34_words_of_approval_change_nothing() {
    let text =
        "---\narchitect_verdict: APPROVE\ncritic_verdict: APPROVE\n---\n\n# Plan\n\nStatus: APPROVED\n";
    assert_eq!(errors(text, DocumentKind::Adr), ["document.adr"]);
}

#[test]
fn specs_need_criteria_and_a_map() {
    assert_eq!(
        errors("# Spec\n", DocumentKind::Spec),
        ["document.acceptance_criteria", "document.coverage_map"]
    );
    let text = "## Acceptance Criteria\n- [ ] a\n\n## Requirement Coverage Map\n| R | By |\n| --- | --- |\n| R1 | AC1 |\n";
    assert_eq!(codes(text, DocumentKind::Spec), []);
}

fn plan(tasks: &str, graph: &str, rest: &str) -> String {
    format!("# Plan\n\n## Task Breakdown\n{tasks}\n{graph}\n{rest}")
}

const TASKS: &str = "### P1\n`src/a.rs`\nAcceptance criteria: a\n### P2\n`src/b.rs`\nAcceptance criteria: b\n### P3\n`src/c.rs`\nAcceptance criteria: c\n";
const GRAPH: &str = "## Task Flow\n```\nP1 -> P2, P1 -> P3\n```\n";
const RISKS: &str = "## Risk Register\n| Risk | Mitigation |\n| --- | --- |\n| a | b |\n";

#[test]
fn case_36_a_graph_of_arrows() {
    assert_eq!(codes(&plan(TASKS, GRAPH, RISKS), DocumentKind::Tasks), []);
}

#[test]
fn graphs_are_read_in_every_form() {
    for graph in [
        "P1 → P2 → P3",
        "- P2 depends on P1\n- P3 depends on P2",
        "- P1: none\n- P2: P1\n- P3: P1, P2",
        "| Task | Depends on |\n| --- | --- |\n| P1 | - |\n| P2 | P1 |\n| P3 | P1, P2 |",
        "| From | To |\n| --- | --- |\n| P1 | P2 |\n| P2 | P3 |",
        "```mermaid\ngraph TD\n  A[P1: schema] --> B[P2: api]\n  B -->|then| C[P3]\n```",
        "```\nP1\n |\n v\nP2 --> P3\n```",
        "```\nP1\n├──> P2\n└──> P3\n```",
        "```\n[P1] ──► [P2]\n         └──► [P3]\n```",
        "~~~\nP1 --> P2\n  P2 --> P3\n~~~",
    ] {
        let text = plan(TASKS, &format!("## Dependency Graph\n{graph}\n"), RISKS);
        assert_eq!(codes(&text, DocumentKind::Tasks), [], "{graph}");
        let wrong = text.replacen("P3", "P9", 100).replacen("### P9", "### P3", 1);
        assert!(errors(&wrong, DocumentKind::Tasks).contains(&"document.dependency_graph"), "{graph}");
    }
}

#[test]
fn cycles_are_found_in_every_form() {
    for graph in [
        "P1 → P2 → P1",
        "- P2 depends on P1\n- P1 depends on P2\n- P3: P1",
        "| Task | Depends on |\n| --- | --- |\n| P1 | P3 |\n| P2 | P1 |\n| P3 | P1, P2 |",
        "```mermaid\nflowchart LR\nA[P1] --> B[P2]\nB --> A\n```",
        "```\nP1 -> P2\nP2 -> P3\nP3 -> P1\n```",
        "```\nP1 <- P2\nP2 <- P1\n```",
        "- P1 → P1",
    ] {
        let found =
            run(&plan(TASKS, &format!("## Sequencing\n{graph}\n"), RISKS), DocumentKind::Tasks, false);
        assert!(
            found
                .iter()
                .any(|one| one.code == "document.dependency_graph" && one.found.starts_with("a cycle: P")),
            "{graph} {found:?}"
        );
    }
}

#[test]
fn tasks_by_number_are_the_same_tasks() {
    let tasks = "### Task 1: schema\n`a/b.sql`\nAcceptance: x\n### Task 2 — api\n`a/c.rs`\nAcceptance: y\n";
    for graph in ["Task 1 → Task 2", "T1 -> T2", "1 -> 2", "task 01 --> task 02", "schema"] {
        let text = plan(tasks, &format!("## Dependencies\n```\n{graph}\n```\n"), RISKS);
        assert_eq!(codes(&text, DocumentKind::Tasks), [], "{graph}");
    }
}

#[test]
fn consequences_are_no_sequence() {
    let text = plan(TASKS, "## Consequences\nP1 -> P2 -> P3\n", RISKS);
    assert_eq!(errors(&text, DocumentKind::Tasks), ["document.dependency_graph"]);
}

#[test]
fn dependencies_inside_tasks_are_a_hint() {
    let tasks = TASKS.replace("`src/b.rs`", "`src/b.rs`\nDepends on: P1");
    assert_eq!(
        codes(&plan(&tasks, "", RISKS), DocumentKind::Tasks),
        [("document.dependency_graph", Level::Hint)]
    );
}

#[test]
fn each_task_needs_paths_and_criteria() {
    let tasks = TASKS.replace("`src/b.rs`\n", "the api\n").replace("Acceptance criteria: c\n", "");
    let found = errors(&plan(&tasks, GRAPH, RISKS), DocumentKind::Tasks);
    assert_eq!(found, ["document.task_paths", "document.task_criteria"]);
    let shared = format!("{RISKS}\n## Acceptance Criteria\n- P3: the cache is empty\n");
    assert_eq!(errors(&plan(&tasks, GRAPH, &shared), DocumentKind::Tasks), ["document.task_paths"]);
    let table = "| # | Task | Files | Acceptance criteria |\n| --- | --- | --- | --- |\n| 1 | a | `src/a.rs` | x |\n| 2 | b | `src/b.rs` | |\n";
    let graph = "## Dependency Graph\n1 -> 2\n";
    assert_eq!(errors(&plan(table, graph, RISKS), DocumentKind::Tasks), ["document.task_criteria"]);
}

#[test]
fn an_empty_plan_lacks_everything() {
    assert_eq!(
        errors("# Plan\n", DocumentKind::Tasks),
        [
            "document.acceptance_criteria",
            "document.dependency_graph",
            "document.risk_register",
            "document.task_breakdown"
        ]
    );
}

#[test]
fn case_37_a_risk_without_mitigation() {
    let risks = "## Risks\n| # | Risk | L | I | Mitigation |\n| --- | --- | --- | --- | --- |\n| 1 | slow | H | L | cache |\n| 2 | lost | L | H | |\n| 3 | `a \\| b` | L | L | `c | d` |\n";
    let text = plan(TASKS, GRAPH, risks);
    let found = run(&text, DocumentKind::Tasks, false);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0].code, found[0].severity, found[0].found.as_str()),
        ("document.risk_register", Level::Hint, "no mitigation for `lost`")
    );
    let facts = PlanFacts::read(&text, &Outline::read(&text));
    let listed: Vec<_> = facts.risks.iter().map(|risk| (risk.text.as_str(), risk.is_mitigated)).collect();
    assert_eq!(listed, [("slow", true), ("lost", false), ("`a | b`", true)]);
}

#[test]
fn facts_name_tasks_criteria_and_paths() {
    let text = plan(TASKS, GRAPH, "## Success Criteria\n- `cargo test` passes\n- fast\n");
    let facts = PlanFacts::read(&text, &Outline::read(&text));
    let tasks: Vec<_> = facts.tasks.iter().map(|task| (task.id.as_str(), task.paths.clone())).collect();
    assert_eq!(tasks[0], ("P1", vec!["src/a.rs".to_owned()]));
    assert_eq!((tasks.len(), facts.criteria.len()), (3, 2));
    assert_eq!(facts.criteria[1].text, "fast");
    assert_eq!(facts.paths, ["src/a.rs", "src/b.rs", "src/c.rs"]);
}

const PIECES: &str = "(# |## |### |Principles|Decision|Drivers|Options|Option A|ADR|Tasks|Task 1|Dependency Graph|Risks|Pros:|TBD|\n|\n\n|- |1\\. |  |\\| |---|```|->|P1|depends on|`a/b\\.rs`|\\*\\*|: |> |[a-z é한]){0,60}";

proptest! {
    #[test]
    fn any_text_is_checked(text in PIECES) {
        let outline = Outline::read(&text);
        for kind in [DocumentKind::RalplanDr, DocumentKind::Adr, DocumentKind::Spec, DocumentKind::Tasks] {
            for found in check(&text, &outline, kind, CheckOptions { deliberate: true }) {
                prop_assert!(text.is_char_boundary(found.position.byte));
                prop_assert!(!found.expected.is_empty() && !found.found.is_empty() && !found.hint.is_empty());
            }
        }
        let _ = PlanFacts::read(&text, &outline);
    }
}
