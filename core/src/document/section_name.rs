//! Which part of a plan a heading, bold line or label names.
//!
//! A name matches as a whole: `Decision Drivers` is no `Decision`, `Consequences` is no sequence.

use super::label::{plain, strip_emoji, strip_number};

/// A part that documents are asked for.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Part {
    Principles,
    Drivers,
    Options,
    Invalidation,
    Premortem,
    TestPlan,
    Adr,
    Decision,
    Alternatives,
    WhyChosen,
    Consequences,
    FollowUps,
    Criteria,
    Coverage,
    Tasks,
    Graph,
    Risks,
    Assumptions,
    OpenQuestions,
}

/// Names of each part, lower case, without numbers and suffixes. Words of other languages are as found in real plans.
const NAMES: [(Part, &[&str]); 19] = [
    (
        Part::Principles,
        &[
            "principles",
            "guiding principles",
            "design principles",
            "core principles",
            "原则",
            "原則",
            "指导原则",
            "원칙",
        ],
    ),
    (
        Part::Drivers,
        &[
            "decision drivers",
            "drivers",
            "top decision drivers",
            "top drivers",
            "key drivers",
            "key decision drivers",
            "决策驱动",
            "决策驱动因素",
            "驱动",
            "驱动因素",
            "결정 동인",
            "상위 동인",
            "동인",
        ],
    ),
    (
        Part::Options,
        &[
            "viable options",
            "options",
            "options considered",
            "considered options",
            "option analysis",
            "viable option analysis",
            "可行选项",
            "选项",
            "可选方案",
            "대안",
            "선택지",
            "실행 가능한 대안",
        ],
    ),
    (
        Part::Invalidation,
        &[
            "invalidation rationale",
            "invalidation",
            "invalidated alternatives",
            "invalidated options",
            "rejected alternatives",
            "rejected options",
            "alternatives rejected",
            "why not",
            "rejected",
            "discarded options",
            "discarded alternatives",
            "被拒绝方案",
            "排除理由",
            "否决理由",
            "기각 사유",
            "기각된 대안",
            "배제 사유",
        ],
    ),
    (
        Part::Premortem,
        &[
            "pre mortem",
            "premortem",
            "pre mortem scenarios",
            "failure scenarios",
            "事前验尸",
            "사전 부검",
            "프리모템",
        ],
    ),
    (
        Part::TestPlan,
        &[
            "expanded test plan",
            "test plan",
            "verification plan",
            "verification steps",
            "test strategy",
            "testing strategy",
            "testing plan",
            "verification",
            "validation plan",
            "tests",
            "testing",
            "测试计划",
            "测试策略",
            "验证",
            "验证计划",
            "검증",
            "검증 계획",
            "테스트 계획",
            "확장 테스트 계획",
            "테스트 전략",
        ],
    ),
    (
        Part::Adr,
        &[
            "adr",
            "architecture decision record",
            "architectural decision record",
            "architecture decision records",
            "decision record",
            "final adr",
            "adrs",
            "架构决策记录",
            "아키텍처 결정 기록",
        ],
    ),
    (Part::Decision, &["decision", "decisions", "final decision", "결정", "决定", "决策", "決定"]),
    (
        Part::Alternatives,
        &[
            "alternatives considered",
            "alternatives",
            "considered alternatives",
            "alternatives rejected",
            "rejected alternatives",
            "备选方案",
            "被拒绝方案",
            "考虑过的备选方案",
            "대안",
            "검토한 대안",
            "고려한 대안",
        ],
    ),
    (
        Part::WhyChosen,
        &[
            "why chosen",
            "why",
            "why this",
            "why we chose",
            "why this option",
            "rationale",
            "选择原因",
            "选择理由",
            "선택 이유",
            "선택 사유",
        ],
    ),
    (Part::Consequences, &["consequences", "后果", "影响", "结果", "결과", "영향"]),
    (
        Part::FollowUps,
        &[
            "follow ups",
            "follow up",
            "followups",
            "follow up items",
            "后续",
            "后续工作",
            "后续事项",
            "후속",
            "후속 작업",
            "후속 조치",
        ],
    ),
    (
        Part::Criteria,
        &[
            "acceptance criteria",
            "success criteria",
            "acceptance",
            "acceptance criterion",
            "definition of done",
            "done when",
            "exit criteria",
            "验收标准",
            "验收",
            "수용 기준",
            "완료 기준",
            "인수 기준",
            "受け入れ基準",
        ],
    ),
    (
        Part::Coverage,
        &[
            "requirement coverage map",
            "requirements coverage map",
            "coverage map",
            "requirement coverage",
            "requirements coverage",
            "requirements traceability",
            "traceability matrix",
            "requirement traceability matrix",
            "需求覆盖",
            "需求覆盖图",
            "요구사항 커버리지",
            "요구사항 추적표",
        ],
    ),
    (
        Part::Tasks,
        &[
            "task breakdown",
            "tasks",
            "implementation tasks",
            "implementation steps",
            "implementation plan",
            "work breakdown",
            "work breakdown structure",
            "work items",
            "plan steps",
            "steps",
            "phases",
            "milestones",
            "implementation phases",
            "implementation",
            "task list",
            "detailed todos",
            "任务分解",
            "任务",
            "任务列表",
            "实施步骤",
            "实施计划",
            "작업 분해",
            "작업",
            "작업 목록",
            "구현 단계",
            "구현 계획",
        ],
    ),
    (
        Part::Graph,
        &[
            "dependency graph",
            "task flow",
            "sequencing",
            "execution order",
            "critical path",
            "dependency chain",
            "dependencies",
            "task dependencies",
            "sequence",
            "task graph",
            "dependency order",
            "依赖图",
            "依赖关系",
            "执行顺序",
            "의존 순서",
            "의존성 그래프",
            "의존 관계",
            "실행 순서",
        ],
    ),
    (
        Part::Risks,
        &[
            "risk register",
            "risks and mitigations",
            "risks and mitigation",
            "risks",
            "risk assessment",
            "risk and mitigation",
            "risk mitigation",
            "risk analysis",
            "key risks",
            "风险与缓解",
            "风险",
            "风险登记",
            "风险登记册",
            "风险评估",
            "리스크와 완화",
            "리스크",
            "위험",
            "위험과 완화",
            "리스크 및 완화",
            "위험 및 완화",
        ],
    ),
    (
        Part::Assumptions,
        &["assumptions", "key assumptions", "working assumptions", "假设", "가정", "전제", "仮定"],
    ),
    (
        Part::OpenQuestions,
        &[
            "open questions",
            "open question",
            "unresolved questions",
            "questions",
            "open items",
            "未决问题",
            "待确认问题",
            "미해결 질문",
            "열린 질문",
        ],
    ),
];

/// Words at the end of a name that say what became of the part.
const TRAILING: [&str; 9] =
    ["retained", "delta", "unchanged", "draft", "updated", "revised", "section", "summary", "overview"];

/// Marks at which a suffix starts.
const SUFFIX_MARKS: [char; 11] = ['(', '（', '【', '[', ':', '：', '—', '–', ',', '，', '/'];

/// Characters of a name that are looked at.
const LONGEST_NAME: usize = 160;

/// True when `name` names the part.
pub(crate) fn names(part: Part, name: &str) -> bool {
    candidates(name).iter().any(|candidate| is_name_of(part, candidate))
}

/// Every part that the name can mean; several, because `Alternatives` is a field and can be a part.
pub(crate) fn parts_of(name: &str) -> Vec<Part> {
    let candidates = candidates(name);
    let mut parts: Vec<Part> = Vec::new();
    for candidate in &candidates {
        for (part, _) in NAMES.iter().filter(|(part, _)| is_name_of(*part, candidate)) {
            if !parts.contains(part) {
                parts.push(*part);
            }
        }
    }
    parts
}

fn is_name_of(part: Part, candidate: &str) -> bool {
    NAMES.iter().any(|(known, names)| *known == part && names.contains(&candidate))
}

/// The readings of a name, most literal first: without suffix, without number, without trailing word, and, when the
/// name starts in another script, what stands in the brackets or behind the slash.
fn candidates(name: &str) -> Vec<String> {
    let name: String = plain(name).chars().take(LONGEST_NAME).collect();
    let name = strip_emoji(&name);
    let mut found = Vec::new();
    for text in [strip_number(name), name] {
        let head = before_suffix(text);
        push_readings(&mut found, head);
        if !head.is_ascii() {
            for piece in text.split(['(', ')', '（', '）', '/', '【', '】', '·', '|']).skip(1) {
                push_readings(&mut found, before_suffix(piece));
            }
        }
    }
    found
}

fn push_readings(found: &mut Vec<String>, text: &str) {
    let full = normal(text);
    let mut words: Vec<&str> = full.split(' ').collect();
    add(found, full.clone());
    while words.len() > 1 && words.last().is_some_and(|word| is_trailing(word)) {
        words.pop();
        add(found, words.join(" "));
    }
    if words.len() > 2 && words.first() == Some(&"top") && words.get(1).is_some_and(|word| is_number(word)) {
        add(found, words.get(2..).unwrap_or_default().join(" "));
    }
    if let Some((head, _)) = full.split_once(" and ").or_else(|| full.split_once(" with ")) {
        add(found, head.to_owned());
    }
}

fn add(found: &mut Vec<String>, text: String) {
    if !text.is_empty() && !found.contains(&text) {
        found.push(text);
    }
}

fn is_trailing(word: &str) -> bool {
    let is_version = word.strip_prefix('v').is_some_and(is_number);
    TRAILING.contains(&word) || is_version || is_number(word)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// The text up to the first suffix mark, ` - ` or ` vN`.
fn before_suffix(text: &str) -> &str {
    let end = text.find(SUFFIX_MARKS).unwrap_or(text.len());
    let head = text.get(..end).unwrap_or_default();
    head.split(" - ").next().unwrap_or_default().trim()
}

/// Lower case, hyphens as spaces, `&` and `+` as `and`, one space between words.
fn normal(text: &str) -> String {
    let lower = text.to_lowercase().replace(['-', '_', '‑'], " ").replace(['&', '+'], " and ");
    lower.split_whitespace().collect::<Vec<_>>().join(" ").trim_matches(['.', '"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_tolerated_spelling_is_found() {
        for (name, part) in [
            ("Principles", Part::Principles),
            ("PRINCIPLES (5)", Part::Principles),
            ("1.1 Guiding Principles", Part::Principles),
            ("Principles retained", Part::Principles),
            ("원칙 (5)", Part::Principles),
            ("Principles / 原则", Part::Principles),
            ("设计（Principles）", Part::Principles),
            ("§13 Decision Drivers (top 3)", Part::Drivers),
            ("Top 3 Decision Drivers", Part::Drivers),
            ("决策驱动", Part::Drivers),
            ("(a) Viable Options (≥2 per key axis)", Part::Options),
            ("Options Considered — storage", Part::Options),
            ("**Viable** `Options`", Part::Options),
            ("2) Options v3", Part::Options),
            ("Part 4 — ADR", Part::Adr),
            ("ADR-001: cache", Part::Adr),
            ("7. ADR — cache layer", Part::Adr),
            ("Architectural Decision Record", Part::Adr),
            ("一、验收标准", Part::Criteria),
            ("A.1 Success Criteria", Part::Criteria),
            ("Risks & Mitigations", Part::Risks),
            ("Risks - all", Part::Risks),
            ("Follow-Ups (Post-Hackathon)", Part::FollowUps),
            ("Consequences (+)", Part::Consequences),
            ("Why Chosen (Opt A)", Part::WhyChosen),
            ("Pre-mortem", Part::Premortem),
            ("⚠️ Risks", Part::Risks),
            ("Acceptance Criteria and Tests", Part::Criteria),
        ] {
            assert!(names(part, name), "{name}");
            assert!(parts_of(name).contains(&part), "{name}");
        }
    }

    #[test]
    fn names_match_as_a_whole() {
        for (name, part) in [
            ("Decision Drivers", Part::Decision),
            ("Consequences", Part::Graph),
            ("Unprincipled", Part::Principles),
            ("Optional extras", Part::Options),
            ("Why the cache is slow", Part::WhyChosen),
            ("Risky business", Part::Risks),
            ("Cache (Risks)", Part::Risks),
            ("The principles of war", Part::Principles),
        ] {
            assert!(!names(part, name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_name_is_read(name in any::<String>()) {
            let _ = parts_of(&name);
        }
    }
}
