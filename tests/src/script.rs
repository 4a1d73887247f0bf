//! A run that is played by a script: commands with sound identities, decided and committed in memory.

use std::collections::BTreeMap;

use ralplan_core::json::sha256_hex;
use ralplan_core::ledger::{
    AnswerOutcome, ApprovalAnswer, HandoffStep, HostInfo, Isolation, RepositoryBinding,
};
use ralplan_core::protocol::{Protocol, built_in};
use ralplan_core::run::{
    Act, Actor, ActorKind, Answer, Approval, ArtifactText, Assign, Assurance, Channel, Command, Decision,
    Effect, Fact, Handoff, Observed, Run, SettingsInput, Start, Step, Write,
};

/// Everything a script keeps: the run, its ledger, its files.
#[derive(Clone, Debug)]
pub struct Script {
    /// The run.
    pub run: Run,
    /// The ledger so far.
    pub ledger: String,
    /// Published files, by path.
    pub files: BTreeMap<String, String>,
    /// Staged texts, by digest.
    pub staged: BTreeMap<String, String>,
    /// Every command, in order.
    pub commands: Vec<Command>,
    /// Every decision, in order.
    pub decisions: Vec<Decision>,
    /// What the host saw for each command, in order.
    pub observed: Vec<Observed>,
    /// Bytes of the ledger before each command, in order.
    pub before: Vec<usize>,
    /// Facts of the host, which are reported when they are asked for.
    pub facts: Vec<Fact>,
    clock: u32,
}

/// A start command that can be changed before it is played.
#[must_use]
pub fn start(protocol: Protocol, task: &str) -> Start {
    Start {
        ask_first: false,
        binding: RepositoryBinding::default(),
        continues: None,
        deliberate: Some(false),
        found: Vec::new(),
        host: HostInfo { name: "script".to_owned(), version: "1".to_owned() },
        interactive: false,
        isolation: Isolation::Agent,
        owner_session_id: "session-1".to_owned(),
        protocol: Box::new(protocol),
        run_id: "run-1".to_owned(),
        settings: SettingsInput::default(),
        task: task.to_owned(),
    }
}

/// A built-in protocol.
///
/// # Panics
/// When there is none of that name.
#[must_use]
pub fn protocol(name: &str) -> Protocol {
    built_in(name).expect("a built-in protocol")
}

/// A person's answer at a terminal.
#[must_use]
pub fn approval(answer: ApprovalAnswer, sha256: Option<String>, comments: Option<&str>) -> Approval {
    Approval {
        answer,
        channel: Some(Channel::Terminal),
        comments: comments.map(str::to_owned),
        final_hash: None,
        sha256: Some(sha256.unwrap_or_else(|| sha256_hex(b""))),
        target: None,
    }
}

/// A leading host.
#[must_use]
pub fn host() -> Actor {
    Actor {
        role: Some("leader".to_owned()),
        agent_id: Some("leader-1".to_owned()),
        ..Actor::new(ActorKind::Host, Assurance::Claimed)
    }
}

/// A person at a terminal.
#[must_use]
pub fn person() -> Actor {
    Actor::new(ActorKind::Person, Assurance::Terminal)
}

impl Script {
    /// A script before its start.
    #[must_use]
    pub fn new() -> Script {
        Script {
            run: Run::open(b"", None),
            ledger: String::new(),
            files: BTreeMap::new(),
            staged: BTreeMap::new(),
            commands: Vec::new(),
            decisions: Vec::new(),
            observed: Vec::new(),
            before: Vec::new(),
            facts: Vec::new(),
            clock: 0,
        }
    }

    /// A started script.
    #[must_use]
    pub fn started(protocol: Protocol, task: &str) -> Script {
        let mut script = Script::new();
        script.act(host(), Act::Start(Box::new(start(protocol, task))));
        script
    }

    /// The next time: one second after the one before.
    pub fn now(&mut self) -> String {
        self.clock += 1;
        format!("2026-01-31T{:02}:{:02}:{:02}.000Z", self.clock / 3600, self.clock / 60 % 60, self.clock % 60)
    }

    /// An agent of a role, with ids of its own for each write.
    pub fn agent(&mut self, role: &str) -> Actor {
        let n = self.commands.len();
        Actor {
            role: Some(role.to_owned()),
            agent_id: Some(format!("{role}-1")),
            invocation_id: Some(format!("{role}-call-{n}")),
            turn_id: Some(format!("{role}-turn-{n}")),
            ..Actor::new(ActorKind::Agent, Assurance::Driven)
        }
    }

    /// Decides an act, carries out the effects, and returns the decision.
    pub fn act(&mut self, actor: Actor, act: Act) -> Decision {
        let at = self.now();
        self.play(Command { actor, at, owner: None, act })
    }

    /// What the run needs for a command, from the script's own files.
    #[must_use]
    pub fn observe(&self, command: &Command) -> Observed {
        let needs = self.run.needs(command);
        let artifacts = needs.artifacts.into_iter().filter_map(|sha256| {
            let text = self.staged.get(&sha256)?.clone();
            Some(ArtifactText { sha256, text })
        });
        let facts = self.facts.iter().filter(|fact| needs.facts.contains(&fact.name)).cloned().collect();
        Observed { artifacts: artifacts.collect(), facts }
    }

    /// Decides a command, carries out the effects, and returns the decision.
    ///
    /// # Panics
    /// When an accepted line cannot be committed.
    pub fn play(&mut self, command: Command) -> Decision {
        let observed = self.observe(&command);
        self.play_observed(command, &observed)
    }

    /// As [`Script::play`], with what the host saw.
    ///
    /// # Panics
    /// When an accepted line cannot be committed.
    pub fn play_observed(&mut self, command: Command, observed: &Observed) -> Decision {
        let decision = self.run.decide(&command, observed);
        self.before.push(self.ledger.len());
        self.observed.push(observed.clone());
        for effect in decision.effects() {
            match effect {
                Effect::Repair { keep_bytes } => {
                    self.ledger.truncate(usize::try_from(*keep_bytes).expect("small"));
                }
                Effect::Stage { sha256, text, .. } => {
                    let own = match &command.act {
                        Act::Write(write) => write.artifact.clone(),
                        _ => None,
                    };
                    let text = text.clone().or(own).expect("the text is the core's or the command's");
                    assert_eq!(sha256_hex(text.as_bytes()), *sha256);
                    self.staged.insert(sha256.clone(), text);
                }
                Effect::Append { line, expected } => {
                    assert_eq!(expected.bytes, u64::try_from(self.ledger.len()).expect("small"));
                    self.ledger.push_str(line);
                    self.run.commit(line).expect("an accepted line follows");
                }
                Effect::Publish { path, sha256 } => {
                    let text = self.staged.get(sha256).expect("staged").clone();
                    self.files.insert(path.clone(), text);
                }
                other => panic!("unexpected effect {other:?}"),
            }
        }
        self.commands.push(command);
        self.decisions.push(decision.clone());
        decision
    }

    /// Hands an assignment to a role and writes an artifact with its token.
    pub fn write(&mut self, role: &str, stage: &str, text: &str) -> Decision {
        self.write_with(role, stage, text, |_| {})
    }

    /// As [`Script::write`], with a last change to the command.
    pub fn write_with(
        &mut self,
        role: &str,
        stage: &str,
        text: &str,
        change: impl FnOnce(&mut Write),
    ) -> Decision {
        let mut actor = self.agent(role);
        let token = format!("token-{}", self.commands.len());
        let assign = Assign {
            invocation_id: actor.invocation_id.clone(),
            role: role.to_owned(),
            stage: Some(stage.to_owned()),
            token_sha256: sha256_hex(token.as_bytes()),
        };
        let assigned = self.act(host(), Act::Assign(assign));
        let token = assigned.receipt().map(|_| token);
        if token.is_none() {
            actor.invocation_id = Some(format!("{role}-call-{}", self.commands.len()));
        }
        let mut write = self.blank_write(stage, Some(text));
        write.token = token;
        change(&mut write);
        self.act(actor, Act::Write(Box::new(write)))
    }

    /// A write command for a stage that states the current draft.
    #[must_use]
    pub fn blank_write(&self, stage: &str, text: Option<&str>) -> Write {
        Write {
            artifact: text.map(str::to_owned),
            compose: false,
            continuity: None,
            draft_sha256: None,
            pass: None,
            stage: stage.to_owned(),
            stage_n: None,
            token: None,
            verdicts: Vec::new(),
        }
    }

    /// Lets the core join a stage, as the leader.
    pub fn compose(&mut self, stage: &str) -> Decision {
        let write = Write { compose: true, ..self.blank_write(stage, None) };
        self.act(host(), Act::Write(Box::new(write)))
    }

    /// A person answers the plan that is pending approval.
    pub fn approve(&mut self, answer: ApprovalAnswer, comments: Option<&str>) -> Decision {
        let digest = self.run.status().and_then(|status| status.digest);
        self.answer_plan(answer, digest, comments)
    }

    /// A person answers the plan with a digest.
    pub fn answer_plan(
        &mut self,
        answer: ApprovalAnswer,
        sha256: Option<String>,
        comments: Option<&str>,
    ) -> Decision {
        self.act(person(), Act::Approval(approval(answer, sha256, comments)))
    }

    /// A person answers an open item.
    pub fn answer(&mut self, item_id: &str, outcome: AnswerOutcome, text: Option<&str>) -> Decision {
        let answer = Answer {
            channel: Some(Channel::Terminal),
            item_id: item_id.to_owned(),
            outcome,
            text: text.map(str::to_owned),
        };
        self.act(person(), Act::Answer(answer))
    }

    /// Hands the plan off.
    pub fn hand_off(&mut self, step: HandoffStep, target: &str) -> Decision {
        self.act(host(), Act::Handoff(Handoff { step, target: Some(target.to_owned()) }))
    }

    /// The next steps.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        self.run.next().steps
    }
}

impl Default for Script {
    fn default() -> Script {
        Script::new()
    }
}

/// The words of the codes of a decision.
#[must_use]
pub fn codes(decision: &Decision) -> Vec<&'static str> {
    decision.reasons().iter().map(|reason| reason.code.name()).collect()
}
