//! Asking the person at the terminal.

use std::io::{BufRead, IsTerminal, Write};

use ralplan_core::ledger::ApprovalAnswer;
use ralplan_core::run::{Act, Actor, ActorKind, Approval, Assurance, Channel, Question, Step};
use ralplan_host::drive::PersonAnswer;
use ralplan_host::store::RunKey;

use crate::commands::person::gate;
use crate::context::Context;
use crate::exit::Failure;
use crate::output::{Output, printable};
use crate::words;

/// True when a person can be asked here.
pub(super) fn is_person_there(output: Output) -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && !output.is_json
}

/// Puts a question; none when the person leaves it open.
pub(super) fn put(question: &Question) -> Option<PersonAnswer> {
    let mut input = std::io::stdin().lock();
    let mut screen = std::io::stderr().lock();
    ask(question, &mut input, &mut screen)
}

/// Puts a question on a screen and reads the choice, by number or by id.
fn ask(question: &Question, input: &mut dyn BufRead, screen: &mut dyn Write) -> Option<PersonAnswer> {
    let mut text = format!("\n{}\n", question.text);
    for (number, option) in (1..).zip(&question.options) {
        let mark = if question.recommended.as_ref() == Some(&option.id) { " (recommended)" } else { "" };
        text.push_str(&format!("  {number}  {}{mark}: {}\n", option.label, option.description));
    }
    write!(screen, "{}", printable(&text)).ok()?;
    let chosen = loop {
        let words = prompt("Your choice (empty leaves it open): ", input, screen)?;
        if words.is_empty() {
            return None;
        }
        let by_number =
            words.parse::<usize>().ok().and_then(|number| question.options.get(number.checked_sub(1)?));
        let chosen = by_number.or_else(|| question.options.iter().find(|option| option.id == words));
        match chosen {
            Some(option) => break option.id.clone(),
            None => writeln!(screen, "`{}` is none of the choices.", printable(&words)).ok()?,
        }
    };
    let needs_text = matches!(chosen.as_str(), "request_changes" | "corrected");
    let text = if needs_text { Some(prompt("In your words: ", input, screen)?) } else { None };
    Some(PersonAnswer { option: chosen, text: text.filter(|text| !text.is_empty()) })
}

/// One line from the person; none at the end of the input.
fn prompt(label: &str, input: &mut dyn BufRead, screen: &mut dyn Write) -> Option<String> {
    write!(screen, "{label}").and_then(|()| screen.flush()).ok()?;
    let mut line = String::new();
    let read = input.read_line(&mut line).ok()?;
    (read > 0).then(|| line.trim().to_owned())
}

/// Asks about the plan that is pending approval. Returns true when planning goes on after the answer.
pub(super) fn about_the_plan(context: &Context, key: &RunKey) -> Result<bool, Failure> {
    let run = context.host()?.load(key)?;
    let question = run.next().steps.into_iter().find_map(|step| match step {
        Step::Ask { question } if question.kind == "approval" => Some(question),
        _ => None,
    });
    let Some(question) = question else { return Ok(false) };
    if let Some(status) = run.status() {
        context.output.complain(&format!("\n{}", gate::summary(&status, &run)));
    }
    let Some(answer) = put(&question) else { return Ok(false) };
    let (word, target) = match answer.option.split_once(':') {
        Some((word, target)) => (word, Some(target.to_owned())),
        None => (answer.option.as_str(), None),
    };
    let word = match word {
        "approve" => ApprovalAnswer::Approve,
        "request_changes" => ApprovalAnswer::RequestChanges,
        "reject" => ApprovalAnswer::Reject,
        _ => ApprovalAnswer::Stop,
    };
    if word == ApprovalAnswer::Approve && !gate::ask("approve this plan")? {
        return Ok(false);
    }
    let approval = Approval {
        answer: word,
        channel: Some(Channel::Terminal),
        comments: answer.text,
        final_hash: None,
        sha256: question.receipts.first().cloned(),
        target,
    };
    let person = Actor::new(ActorKind::Person, Assurance::Terminal);
    let submitted = context.submit(key, &context.command(person, Act::Approval(approval)))?;
    let is_accepted = submitted.decision.receipt().is_some();
    if !is_accepted {
        context.output.complain(&words::reasons("refused", submitted.decision.reasons()));
    }
    Ok(is_accepted && word == ApprovalAnswer::RequestChanges)
}

#[cfg(test)]
mod tests {
    use ralplan_core::run::QuestionOption;

    use super::*;

    fn question() -> Question {
        let option = |id: &str| QuestionOption {
            description: "d".to_owned(),
            id: id.to_owned(),
            label: id.to_owned(),
        };
        Question {
            free_text: true,
            kind: "item".to_owned(),
            options: vec![option("confirmed"), option("corrected")],
            question_id: "i-1".to_owned(),
            receipts: Vec::new(),
            recommended: Some("confirmed".to_owned()),
            text: "Is it so?".to_owned(),
        }
    }

    fn answer(typed: &str) -> (Option<PersonAnswer>, String) {
        let mut screen = Vec::new();
        let answer = ask(&question(), &mut typed.as_bytes(), &mut screen);
        (answer, String::from_utf8(screen).unwrap())
    }

    #[test]
    fn choices_are_taken_by_number_or_by_word_and_wrong_ones_asked_again() {
        let (chosen, screen) = answer("7\n1\n");
        assert_eq!(chosen.unwrap().option, "confirmed");
        assert!(screen.contains("`7` is none of the choices."), "{screen}");
        assert!(screen.contains("1  confirmed (recommended)"), "{screen}");
        let corrected = answer("corrected\nit is not\n").0.unwrap();
        assert_eq!((corrected.option.as_str(), corrected.text.as_deref()), ("corrected", Some("it is not")));
    }

    #[test]
    fn an_empty_line_and_the_end_of_input_answer_nothing() {
        assert!(answer("\n").0.is_none());
        assert!(answer("").0.is_none());
        assert!(answer("2\n").0.is_none());
    }
}
