//! Running one agent program: prompt on standard input, artifact on standard output or in a file.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of error output that are kept for the message, from the end.
const ERROR_TAIL: usize = 8 * 1024;
/// How long a program may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);
/// How often a running program is looked at.
const TICK: Duration = Duration::from_millis(20);
/// Variables that every program gets, besides those of its own list.
const ALWAYS: &[&str] = &["PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "SHELL", "SystemRoot"];

/// Set from a signal handler to stop what runs.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Asks what runs to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// True when it was asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// How the id of an agent is found, to resume it later.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum IdRule {
    /// It has none.
    #[default]
    None,
    /// The output is JSON: the id and the artifact are fields of it.
    Json {
        /// Field with the id.
        id: String,
        /// Field with the artifact.
        artifact: String,
    },
    /// A line of the error output starts with this text, and the id follows.
    Prefix(String),
}

/// How a role is run.
#[derive(Clone, Debug)]
pub struct AgentCommand {
    /// Program and arguments; no shell.
    pub argv: Vec<String>,
    /// Program and arguments to resume an agent, with `{id}`.
    pub resume: Option<Vec<String>>,
    /// How the id of the agent is found.
    pub id: IdRule,
    /// How long it may take.
    pub time_limit: Duration,
    /// Most bytes of output.
    pub output_limit: u64,
    /// How often it is started again after a failure.
    pub retries: u32,
    /// Variables that are passed through, by name.
    pub environment: Vec<String>,
    /// True when the artifact is written to the file named in `RALPLAN_ARTIFACT_FILE` instead of to standard output.
    pub writes_file: bool,
}

/// What an agent delivered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AgentOutput {
    /// The artifact.
    pub text: String,
    /// The id of the agent, when it gave one.
    pub agent_id: Option<String>,
}

/// Why an agent delivered nothing usable.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The program does not exist.
    #[error("the program `{program}` was not found")]
    NotFound {
        /// The program.
        program: String,
    },
    /// The program cannot be executed.
    #[error("the program `{program}` cannot be executed")]
    NotExecutable {
        /// The program.
        program: String,
    },
    /// It ended with an error.
    #[error("`{program}` ended with {status}{}", last_words(tail))]
    Exit {
        /// The program.
        program: String,
        /// Exit status or signal.
        status: String,
        /// End of its error output.
        tail: String,
    },
    /// It took too long.
    #[error("`{program}` did not end within {seconds} seconds{}", last_words(tail))]
    Timeout {
        /// The program.
        program: String,
        /// The limit.
        seconds: u64,
        /// End of its error output.
        tail: String,
    },
    /// It wrote nothing, or only blanks.
    #[error("`{program}` wrote nothing{}", last_words(tail))]
    Empty {
        /// The program.
        program: String,
        /// End of its error output.
        tail: String,
    },
    /// It wrote more than it may.
    #[error("`{program}` wrote more than {limit} bytes")]
    TooLarge {
        /// The program.
        program: String,
        /// The limit.
        limit: u64,
    },
    /// It wrote something that is not UTF-8.
    #[error("the output of `{program}` is not UTF-8 at byte {at}")]
    NotUtf8 {
        /// The program.
        program: String,
        /// First byte that does not belong.
        at: usize,
    },
    /// Its output is not the JSON that the settings promise.
    #[error("the output of `{program}` is not JSON with the fields `{id}` and `{artifact}`")]
    NotJson {
        /// The program.
        program: String,
        /// Field with the id.
        id: String,
        /// Field with the artifact.
        artifact: String,
    },
    /// It was stopped on request.
    #[error("`{program}` was stopped on request")]
    Cancelled {
        /// The program.
        program: String,
    },
    /// It could not be run.
    #[error("`{program}` could not be run: {message}")]
    Io {
        /// The program.
        program: String,
        /// What the system says.
        message: String,
    },
}

impl AgentError {
    /// The reason code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            AgentError::NotFound { .. } => "agent.not_found",
            AgentError::NotExecutable { .. } => "agent.not_executable",
            AgentError::Exit { .. } => "agent.exit",
            AgentError::Timeout { .. } => "agent.timeout",
            AgentError::Empty { .. } => "agent.empty",
            AgentError::TooLarge { .. } => "agent.too_large",
            AgentError::NotUtf8 { .. } => "agent.not_utf8",
            AgentError::NotJson { .. } => "agent.refused",
            AgentError::Cancelled { .. } => "agent.cancelled",
            AgentError::Io { .. } => "agent.io",
        }
    }

    /// True when another attempt cannot help.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(
            self,
            AgentError::NotFound { .. } | AgentError::NotExecutable { .. } | AgentError::Cancelled { .. }
        )
    }
}

fn last_words(tail: &str) -> String {
    let lines: Vec<&str> = tail.lines().filter(|line| !line.trim().is_empty()).collect();
    let start = lines.len().saturating_sub(3);
    match lines.get(start..) {
        Some(last) if !last.is_empty() => format!("; its last words: {}", last.join(" / ")),
        _ => String::new(),
    }
}

/// What one start of an agent gets besides its command.
#[derive(Clone, Debug)]
pub struct Invocation<'a> {
    /// The prompt.
    pub prompt: &'a str,
    /// Folder in which it runs.
    pub folder: &'a Path,
    /// Agent to resume.
    pub resume: Option<&'a str>,
    /// Variables that are set.
    pub marks: BTreeMap<String, String>,
    /// File into which it writes, when it writes a file.
    pub artifact_file: Option<PathBuf>,
}

/// Runs an agent and waits for it.
///
/// # Errors
/// Whatever keeps it from delivering an artifact; see [`AgentError`].
pub fn run_agent(
    agent: &AgentCommand,
    invocation: &Invocation<'_>,
    cancel: &CancelFlag,
) -> Result<AgentOutput, AgentError> {
    let argv = match (&agent.resume, invocation.resume) {
        (Some(resume), Some(id)) => resume.iter().map(|part| part.replace("{id}", id)).collect(),
        _ => agent.argv.clone(),
    };
    let program = argv.first().cloned().unwrap_or_default();
    let child = start(&argv, agent, invocation).map_err(|error| start_error(&program, &error))?;
    let outcome = wait(child, agent, invocation.prompt, cancel, &program)?;
    let output = match &invocation.artifact_file {
        Some(file) if agent.writes_file => read_file(file, agent.output_limit, &program)?,
        _ => outcome.output,
    };
    let text = String::from_utf8(output).map_err(|error| AgentError::NotUtf8 {
        program: program.clone(),
        at: error.utf8_error().valid_up_to(),
    })?;
    let (text, agent_id) = split_id(&agent.id, text, &outcome.tail, &program)?;
    if text.trim().is_empty() {
        return Err(AgentError::Empty { program, tail: outcome.tail });
    }
    Ok(AgentOutput { text, agent_id })
}

fn start(argv: &[String], agent: &AgentCommand, invocation: &Invocation<'_>) -> std::io::Result<Child> {
    let (program, arguments) = argv.split_first().ok_or(std::io::ErrorKind::NotFound)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(invocation.folder).env_clear();
    for name in ALWAYS.iter().copied().chain(agent.environment.iter().map(String::as_str)) {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.envs(&invocation.marks);
    if let Some(file) = invocation.artifact_file.as_ref().filter(|_| agent.writes_file) {
        command.env("RALPLAN_ARTIFACT_FILE", file);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that what the agent starts can be stopped with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

fn start_error(program: &str, error: &std::io::Error) -> AgentError {
    let program = program.to_owned();
    match error.kind() {
        std::io::ErrorKind::NotFound => AgentError::NotFound { program },
        std::io::ErrorKind::PermissionDenied => AgentError::NotExecutable { program },
        _ => AgentError::Io { program, message: error.to_string() },
    }
}

struct Ended {
    output: Vec<u8>,
    tail: String,
}

enum Piece {
    Output(Vec<u8>),
    Error(Vec<u8>),
    Over,
}

fn wait(
    mut child: Child,
    agent: &AgentCommand,
    prompt: &str,
    cancel: &CancelFlag,
    program: &str,
) -> Result<Ended, AgentError> {
    let (sender, pieces) = channel();
    if let Some(mut input) = child.stdin.take() {
        let prompt = prompt.to_owned();
        // A program that does not read its input must not hold us up; a closed pipe is its own affair.
        thread::spawn(move || {
            let _ = input.write_all(prompt.as_bytes());
        });
    }
    let limit = agent.output_limit;
    if let Some(output) = child.stdout.take() {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = output.take(limit.saturating_add(1)).read_to_end(&mut bytes);
            let is_over = u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit;
            let _ = sender.send(if is_over { Piece::Over } else { Piece::Output(bytes) });
        });
    }
    if let Some(errors) = child.stderr.take() {
        thread::spawn(move || {
            let _ = sender.send(Piece::Error(read_tail(errors)));
        });
    }
    let mut ended = Ended { output: Vec::new(), tail: String::new() };
    let status = watch(&mut child, agent, cancel, &pieces, &mut ended, program)?;
    if !status.success() {
        return Err(AgentError::Exit {
            program: program.to_owned(),
            status: describe(status),
            tail: ended.tail,
        });
    }
    Ok(ended)
}

/// Waits until the program has ended and both outputs are read.
fn watch(
    child: &mut Child,
    agent: &AgentCommand,
    cancel: &CancelFlag,
    pieces: &Receiver<Piece>,
    ended: &mut Ended,
    program: &str,
) -> Result<ExitStatus, AgentError> {
    let start = Instant::now();
    let mut status = None;
    let mut open = 2;
    while open > 0 || status.is_none() {
        let piece = if open > 0 { pieces.recv_timeout(TICK) } else { Err(RecvTimeoutError::Timeout) };
        match piece {
            Ok(Piece::Output(bytes)) => {
                ended.output = bytes;
                open -= 1;
            }
            Ok(Piece::Error(bytes)) => {
                ended.tail = String::from_utf8_lossy(&bytes).into_owned();
                open -= 1;
            }
            Ok(Piece::Over) => {
                stop(child);
                return Err(AgentError::TooLarge { program: program.to_owned(), limit: agent.output_limit });
            }
            Err(RecvTimeoutError::Disconnected) => open = 0,
            Err(RecvTimeoutError::Timeout) if open == 0 => thread::sleep(TICK),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if status.is_none() {
            status = child.try_wait().map_err(|error| AgentError::Io {
                program: program.to_owned(),
                message: error.to_string(),
            })?;
        }
        if cancel.is_cancelled() {
            stop(child);
            return Err(AgentError::Cancelled { program: program.to_owned() });
        }
        if start.elapsed() > agent.time_limit {
            stop(child);
            let tail = std::mem::take(&mut ended.tail);
            return Err(AgentError::Timeout {
                program: program.to_owned(),
                seconds: agent.time_limit.as_secs(),
                tail,
            });
        }
    }
    status.ok_or_else(|| AgentError::Io { program: program.to_owned(), message: "no exit status".to_owned() })
}

/// Stops the program and everything it started: first asks, then ends it.
fn stop(child: &mut Child) {
    signal(child, false);
    let start = Instant::now();
    while start.elapsed() < GRACE {
        if matches!(child.try_wait(), Ok(Some(_))) {
            break;
        }
        thread::sleep(TICK);
    }
    signal(child, true);
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(unix)]
fn signal(child: &Child, is_last: bool) {
    let signal = if is_last { rustix::process::Signal::KILL } else { rustix::process::Signal::TERM };
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

#[cfg(not(unix))]
fn signal(_: &Child, _: bool) {}

fn read_tail(mut errors: impl Read) -> Vec<u8> {
    let mut tail = Vec::new();
    let mut block = [0_u8; 4096];
    while let Ok(count) = errors.read(&mut block) {
        if count == 0 {
            break;
        }
        tail.extend_from_slice(block.get(..count).unwrap_or_default());
        if tail.len() > 2 * ERROR_TAIL {
            tail.drain(..tail.len() - ERROR_TAIL);
        }
    }
    let start = tail.len().saturating_sub(ERROR_TAIL);
    tail.split_off(start)
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    status.code().map_or_else(|| "an unknown status".to_owned(), |code| format!("exit status {code}"))
}

fn read_file(file: &Path, limit: u64, program: &str) -> Result<Vec<u8>, AgentError> {
    let io =
        |error: std::io::Error| AgentError::Io { program: program.to_owned(), message: error.to_string() };
    let opened = match std::fs::File::open(file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(io(error)),
    };
    let mut bytes = Vec::new();
    opened.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
        return Err(AgentError::TooLarge { program: program.to_owned(), limit });
    }
    Ok(bytes)
}

/// The artifact and the id of the agent.
fn split_id(
    rule: &IdRule,
    text: String,
    tail: &str,
    program: &str,
) -> Result<(String, Option<String>), AgentError> {
    match rule {
        IdRule::None => Ok((text, None)),
        IdRule::Prefix(prefix) => {
            let id = tail
                .lines()
                .find_map(|line| line.trim().strip_prefix(prefix.as_str()))
                .map(|id| id.trim().to_owned());
            Ok((text, id))
        }
        IdRule::Json { id, artifact } => {
            let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            let field = |name: &str| value.get(name).and_then(serde_json::Value::as_str).map(str::to_owned);
            let artifact_text = field(artifact).ok_or_else(|| AgentError::NotJson {
                program: program.to_owned(),
                id: id.clone(),
                artifact: artifact.clone(),
            })?;
            Ok((artifact_text, field(id)))
        }
    }
}
