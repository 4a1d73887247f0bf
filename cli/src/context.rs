//! What a command works with: where, which run, how to speak.

use std::cell::OnceCell;
use std::path::PathBuf;

use ralplan_core::run::{Act, Actor, ActorKind, Assurance, Command, Decision, Observed, Run};
use ralplan_host::host::{Host, Selector};
use ralplan_host::root::find_root;
use ralplan_host::store::RunKey;
use ralplan_host::{Submitted, clock};

use crate::arguments::Global;
use crate::exit::Failure;
use crate::output::Output;
use crate::settings;

/// Set in the environment of processes that the driver starts.
pub(crate) const DRIVEN: &str = "RALPLAN_DRIVEN";

/// Which runs a command can mean.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Reach {
    /// Open ones only.
    Open,
    /// Also the newest closed one.
    Any,
}

/// What a command works with.
pub(crate) struct Context {
    pub(crate) output: Output,
    global: Global,
    host: OnceCell<Host>,
}

impl Context {
    pub(crate) fn new(global: Global) -> Context {
        let output = Output { is_json: global.json, is_quiet: global.quiet };
        Context { output, global, host: OnceCell::new() }
    }

    /// Where the runs lie: `--root`, else what belongs to the current folder.
    pub(crate) fn root(&self) -> Result<PathBuf, Failure> {
        if let Some(root) = &self.global.root {
            return Ok(root.clone());
        }
        let here = std::env::current_dir()
            .map_err(|error| Failure::system(format!("the current folder cannot be read: {error}")))?;
        let home = std::env::home_dir();
        Ok(find_root(&here, home.as_deref()))
    }

    /// The host, opened when it is first needed.
    pub(crate) fn host(&self) -> Result<&Host, Failure> {
        if let Some(host) = self.host.get() {
            return Ok(host);
        }
        let host = Host::open(&self.root()?)?;
        Ok(self.host.get_or_init(|| host))
    }

    /// The run id that was given, by flag or environment.
    pub(crate) fn run_id(&self) -> Option<&str> {
        self.global.run_id.as_deref().filter(|id| !id.is_empty())
    }

    /// The session that was given, by flag or environment.
    pub(crate) fn session_id(&self) -> Option<&str> {
        self.global.session_id.as_deref().filter(|id| !id.is_empty())
    }

    /// The run that the command means.
    pub(crate) fn key(&self, reach: Reach) -> Result<RunKey, Failure> {
        self.key_of(self.run_id(), reach)
    }

    /// The run of an id, or the one that is meant without an id.
    pub(crate) fn key_of(&self, run_id: Option<&str>, reach: Reach) -> Result<RunKey, Failure> {
        let selector = Selector {
            run_id: run_id.map(str::to_owned),
            session_id: self.session_id().map(str::to_owned),
            may_be_closed: reach == Reach::Any,
        };
        Ok(self.host()?.find(&selector)?)
    }

    /// The run that the command means, read.
    pub(crate) fn load(&self, reach: Reach) -> Result<(RunKey, Run), Failure> {
        let key = self.key(reach)?;
        let run = self.host()?.load(&key)?;
        Ok((key, run))
    }

    /// Decides and carries out.
    pub(crate) fn submit(&self, key: &RunKey, command: &Command) -> Result<Submitted, Failure> {
        Ok(self.host()?.submit(key, command)?)
    }

    /// As [`Context::submit`], but a wrong settings file refuses everything that was not done before.
    pub(crate) fn submit_new(&self, key: &RunKey, command: &Command) -> Result<Submitted, Failure> {
        if let Err(failure) = settings::read(&self.root()?) {
            let decision = self.host()?.load(key)?.decide(command, &Observed::default());
            if !matches!(decision, Decision::Duplicate { .. }) {
                return Err(failure);
            }
        }
        self.submit(key, command)
    }

    /// A command of an actor, now. Who names a session takes it for the owner; a person acts from any session.
    pub(crate) fn command(&self, actor: Actor, act: Act) -> Command {
        let owner = self.session_id().filter(|_| actor.kind != ActorKind::Person).map(str::to_owned);
        let session_id = actor.session_id.or_else(|| self.session_id().map(str::to_owned));
        Command { actor: Actor { session_id, ..actor }, at: clock::now(), owner, act }
    }

    /// The actor for what the program does in its user's name.
    pub(crate) fn leader(&self) -> Actor {
        Actor { role: Some("leader".to_owned()), ..Actor::new(ActorKind::Host, Assurance::Claimed) }
    }

    /// True in a process that the driver started for an agent.
    pub(crate) fn is_driven(&self) -> bool {
        std::env::var_os(DRIVEN).is_some_and(|value| !value.is_empty())
    }

    /// A command line of this program for a run, ready to be typed.
    pub(crate) fn line(&self, run_id: &str, verb: &str, rest: &[&str]) -> String {
        let mut words = vec![verb];
        words.extend(rest);
        words.extend(["--run-id", run_id]);
        self.typed(&words)
    }

    /// The command line that continues a run in a new one.
    pub(crate) fn new_from(&self, run_id: &str) -> String {
        self.typed(&["new", "--from", run_id])
    }

    fn typed(&self, rest: &[&str]) -> String {
        let mut words = vec!["ralplan".to_owned()];
        words.extend(rest.iter().map(|word| quote(word)));
        if let Some(root) = &self.global.root {
            words.extend(["--root".to_owned(), quote(&root.display().to_string())]);
        }
        words.join(" ")
    }
}

/// A word as a POSIX shell reads it; placeholders in capitals stay as they are.
fn quote(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=,@%+".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_can_be_typed_as_they_are() {
        assert_eq!(quote("team"), "team");
        assert_eq!(quote("two words"), "'two words'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        let global = Global { root: Some(PathBuf::from("/a b")), ..Global::default() };
        let line = Context::new(global).line("r1", "approve", &["--digest", "abc"]);
        assert_eq!(line, "ralplan approve --digest abc --run-id r1 --root '/a b'");
    }

    #[test]
    fn a_stated_session_is_taken_for_the_owner_except_by_persons() {
        let context = Context::new(Global { session_id: Some("s1".to_owned()), ..Global::default() });
        let act = || Act::Cancel(ralplan_core::run::Cancel::default());
        let command = context.command(context.leader(), act());
        assert_eq!((command.owner.as_deref(), command.actor.session_id.as_deref()), (Some("s1"), Some("s1")));
        let person = Actor::new(ActorKind::Person, Assurance::Terminal);
        assert_eq!(context.command(person, act()).owner, None);
    }
}
