//! The first draft, and what comes before it.

use ralplan_core::intake::risk::detect_risks;

use super::fill;
use super::prompt::Prompt;
use crate::lint::{Project, short, words};

/// Most tasks that are made from the sentences of a task.
const CLAUSES: usize = 6;

pub(super) fn write(prompt: &Prompt<'_>, project: &Project) -> String {
    let subject = short(prompt.task, 90);
    let marked = prompt.task.replace(". ", "\n").replace([';', '\r'], "\n").replace(" and then ", "\n");
    let clauses = marked.lines().map(|line| short(line.trim_matches(['-', '*', ' ', '.']), 70));
    let clauses: Vec<String> = clauses.filter(|clause| !words(clause).is_empty()).take(CLAUSES).collect();
    let template = match prompt.stage {
        stage if stage.contains("question") => include_str!("questions.md"),
        stage if stage.contains("spec") => include_str!("spec.md"),
        _ => return draft(prompt, project, &subject, &clauses),
    };
    let questions =
        list(&clauses, |_, clause| format!("- [ ] How will somebody see that this is done: {clause}?\n"));
    let criteria = list(&clauses, |at, clause| format!("- AC{at}: a test fails, then passes: {clause}\n"));
    let map = list(&clauses, |at, clause| format!("- {clause}: AC{at}\n"));
    let parts = [("questions", questions), ("criteria", criteria), ("coverage", map), ("subject", subject)];
    fill(template, &parts)
}

fn list(clauses: &[String], line: impl Fn(usize, &str) -> String) -> String {
    clauses.iter().enumerate().map(|(at, clause)| line(at + 1, clause)).collect()
}

fn draft(prompt: &Prompt<'_>, project: &Project, subject: &str, clauses: &[String]) -> String {
    let found = project.about(prompt.task);
    let best = found.first().map(|(path, _)| *path);
    let like = best.unwrap_or(project.manifest.map_or("docs/.md", |(_, _, place)| place));
    let folder = like.rfind('/').and_then(|at| like.get(..=at)).unwrap_or_default();
    let ending = like.rsplit_once('.').map_or("md", |(_, ending)| ending);
    let name = words(prompt.task).into_iter().take(2).reduce(|one, other| format!("{one}_{other}"));
    let name = name.map_or("change".to_owned(), |name| short(&name, 40));
    let (new, new_test) = (format!("{folder}{name}.{ending}"), format!("tests/{name}.{ending}"));
    let test = found.iter().map(|(path, _)| *path).find(|path| path.contains("test")).unwrap_or(&new_test);
    let named = |path: &str| format!("`{path}`{}", if project.has(path) { "" } else { " (new)" });
    let place = named(best.unwrap_or(&new));
    let look = format!("test -s {}", best.unwrap_or(&new));
    let (manifest, command, _) = project.manifest.unwrap_or(("no manifest", &look, ""));
    let risks: Vec<String> = detect_risks(prompt.task).iter().map(|risk| short(&risk.word, 30)).collect();
    let files = |clause: &str| {
        let files = project.about(clause).into_iter().take(2).map(|(path, _)| named(path));
        files.reduce(|one, other| format!("{one}, {other}")).unwrap_or_else(|| place.clone())
    };
    let task = |at, clause: &str| {
        fill(include_str!("task.md"), &[("name", format!("T{at} {clause}")), ("files", files(clause))])
    };
    let context = found.iter().take(4).map(|(path, held)| format!("- `{path}` holds: {}\n", held.join(", ")));
    let nothing = best.is_none().then(|| "- no file holds a word of the task\n".to_owned());
    let last = clauses.len() + 1;
    let parts = [
        ("deliberate", if prompt.is_deliberate { include_str!("deliberate.md") } else { "" }),
        ("options", if best.is_some() { include_str!("extend.md") } else { include_str!("create.md") }),
        ("context", &context.chain(nothing).collect::<String>()),
        ("tasks", &list(clauses, task)),
        ("edges", if last == 1 { "none\n" } else { &list(clauses, |at, _| format!("- T{at} -> T{last}\n")) }),
        ("subject", subject),
        ("harmed", if risks.is_empty() { "what works today" } else { &risks.join(", ") }),
        ("command", command),
        ("manifest", manifest),
        ("place", &place),
        ("new", &named(&new)),
        ("test", &named(test)),
        ("last", &last.to_string()),
        ("count", &project.files.len().to_string()),
        ("related", &found.len().to_string()),
        ("held", &found.first().map_or("nothing but the task".to_owned(), |(_, held)| held.join(", "))),
    ];
    fill(include_str!("plan.md"), &parts)
}
