//! The reason table. A code, its name, its class, what it means, what to do.

use super::{CodeClass, CodeRow};

/// Declares the codes and their rows together, so that neither can be forgotten.
macro_rules! codes {
    ($($code:ident $name:literal $class:ident $meaning:literal $remedy:literal;)*) => {
        /// A stable reason code; `docs/reasons.md` lists them all.
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $meaning] $code,)*
        }

        /// Every reason code, in the order of the enum.
        pub const CODES: &[CodeRow] = &[
            $(CodeRow { code: Code::$code, name: $name, class: CodeClass::$class, meaning: $meaning, remedy: $remedy },)*
        ];
    };
}

codes! {
    InputNotJson "input.not_json" Fixed "the input is not one JSON value" "send one JSON value in UTF-8";
    InputNotUtf8 "input.not_utf8" Fixed "the text is not UTF-8" "save the file as UTF-8";
    InputByteOrderMark "input.byte_order_mark" Fixed "the text starts with a byte order mark" "save the file as UTF-8 without a byte order mark";
    InputNul "input.nul" Fixed "the text holds a NUL character" "remove the NUL character";
    InputDuplicateKey "input.duplicate_key" Fixed "an object names the same key twice" "keep one of them";
    InputNumber "input.number" Fixed "a number is not a whole number between -(2^53-1) and 2^53-1" "send a whole number in that range";
    InputSurrogate "input.surrogate" Fixed "a string holds half of a surrogate pair" "send well-formed Unicode";
    InputTooDeep "input.too_deep" Fixed "the JSON is nested too deeply" "send a flatter document";
    InputTooLarge "input.too_large" Fixed "the input is larger than the limit" "send less; the limits are listed in the documentation";
    InputUnknownField "input.unknown_field" Fixed "a field is not known here" "remove the field or correct its spelling";
    InputMissingField "input.missing_field" Fixed "a required field is missing" "add the field";
    InputWrongType "input.wrong_type" Fixed "a value has the wrong type" "send a value of the expected type";
    InputUnknownValue "input.unknown_value" Fixed "a value is not one of the known ones" "use one of the expected values";
    InputSchema "input.schema" Fixed "the document is of another schema" "send a document of the expected schema";
    InputEmpty "input.empty" Fixed "the artifact is empty or blank" "write the artifact before submitting it";
    InputUnclosed "input.unclosed" Fixed "the document ends inside a fence or a comment, so that nothing can follow it" "close the fence or the comment";
    InputId "input.id" Fixed "an id has a form that is not allowed" "use 1 to 64 of A-Z a-z 0-9 . _ - and start with a letter, a digit, _ or -";
    InputTime "input.time" Fixed "a time is not RFC 3339 in UTC with milliseconds" "send a time like 2026-01-31T09:30:00.000Z";
    InputStageNumber "input.stage_number" Fixed "a stage number is not between 1 and 999" "use a stage number between 1 and 999";
    InputStage "input.stage" Fixed "the protocol has no such stage" "use one of the stages of the protocol";
    InputRole "input.role" Fixed "the protocol has no such role" "use one of the roles of the protocol";
    InputItem "input.item" Fixed "the run has no such open item or question" "answer an item that the next steps list";
    InputProtocol "input.protocol" Fixed "the protocol document breaks a rule of its own" "correct the document at the place that is named";
    InputSetting "input.setting" Fixed "a setting has a wrong value" "correct the setting at the place that is named";
    InputDigest "input.digest" Fixed "a digest is not 64 lower-case hexadecimal digits" "send a SHA-256 digest in lower-case hexadecimal";
    InputObserved "input.observed" Fixed "the host did not report what the core asked for" "answer every need of the command and decide again";
    InputArgument "input.argument" Host "an argument of the command line is wrong" "see the help of the command";
    InputArtifactPath "input.artifact_path" Host "the artifact file cannot be read" "name an existing file, or pass the text itself with its own flag";
    PathEscape "path.escape" Fixed "a path leaves the folder it must stay in" "use a relative path without `..`";
    PathAbsolute "path.absolute" Fixed "a path is absolute" "use a path relative to the root";
    PathNul "path.nul" Fixed "a path holds a NUL or control character" "use a plain path";
    PathReserved "path.reserved" Fixed "a path holds a name that some systems reserve" "use another name";
    PathTooLong "path.too_long" Fixed "a path component is longer than 255 bytes" "use a shorter name";
    PathLink "path.link" Host "a symbolic link stands where a plain file or folder is expected" "replace the link by a plain file or folder";
    LedgerBroken "ledger.broken" Fixed "the ledger is damaged" "read the report of `verify`, then set the run aside with `clear`";
    LedgerNotCanonical "ledger.not_canonical" Fixed "a line of the ledger is not in canonical form" "restore the ledger from a copy, or set the run aside with `clear`";
    LedgerNewer "ledger.newer" Fixed "the ledger was written by a newer version" "update this program";
    LedgerRules "ledger.rules_unsupported" Fixed "the run follows a rule set that this version does not have" "use a version that has the rule set; reading and verifying still work";
    LedgerShortened "ledger.shortened" Fixed "the ledger is shorter than it was, or differs where it was already written" "find the missing entries, or accept the loss with `doctor --accept`";
    LedgerLimit "ledger.limit" Fixed "the ledger is full" "end this run and go on with `new --from`";
    LedgerStale "ledger.stale" Fixed "the line does not follow the ledger" "read the run again and decide again";
    LedgerMoved "ledger.moved" Host "another process wrote to the ledger first" "read the run again and decide again";
    ReceiptUnknown "receipt.unknown" Fixed "the ledger has no entry of this receipt" "check the receipt against the ledger it was issued from";
    ReceiptMismatch "receipt.mismatch" Fixed "a field of the receipt differs from the ledger" "trust the ledger; the receipt was altered or belongs to another run";
    ReceiptBytes "receipt.bytes" Fixed "the file differs from what the ledger recorded" "restore the file with `doctor --fix`";
    SlotOccupied "slot.occupied" Fixed "the slot already holds something else" "use the next slot; what was accepted is never overwritten";
    BudgetIterations "budget.iterations" Fixed "all iterations of the run are used up" "present the best plan with its open objections, or go on with `new --from`";
    BudgetPasses "budget.passes" Fixed "the lane has used up its passes of this iteration" "revise the draft; a new iteration has new passes";
    BudgetArtifactBytes "budget.artifact_bytes" Fixed "the artifact is larger than the protocol allows" "shorten the artifact";
    RunExists "run.exists" Fixed "the run exists already, with another task, protocol or settings" "resume it, or start a run with another id";
    RunNotStarted "run.not_started" Fixed "the run has not been started" "start the run first";
    RunClosed "run.closed" Fixed "the run is closed" "start a new run, for example with `new --from`";
    RunOwner "run.owner" Fixed "the run belongs to another session" "act in the owner session, or transfer the run";
    RunIsolation "run.isolation" Fixed "the protocol needs agents that are isolated from each other" "start the run on a host that runs each role as its own agent or process";
    RunNotFound "run.not_found" Host "no such run was found here" "list the runs with `status`, or start one with `run` or `new`";
    RunAmbiguous "run.ambiguous" Host "several runs are open here" "name one with `--run-id`";
    ApprovalMissingSubject "approval.no_final" Fixed "there is no plan to approve yet" "finish planning first";
    ApprovalWrongDigest "approval.wrong_digest" Fixed "the digest is not that of the plan that is pending approval" "read the current plan and approve its digest";
    ApprovalStuck "approval.stuck" Fixed "planning is stuck, so its plan cannot be approved" "reject it, or go on with `new --from`";
    ApprovalAuthor "approval.author" Fixed "whoever wrote a draft, a review or the final cannot approve it" "let another person approve";
    ApprovalNotPerson "approval.not_person" Fixed "this actor may not do this" "ask a person to do it";
    ApprovalChannel "approval.channel" Fixed "the act does not say through which channel the person acted" "act on a terminal, in a host's dialog, or with the flag and `--yes`";
    ApprovalAnswered "approval.answered" Fixed "the plan has been answered already" "before the handoff an approval may become a rejection, and a stop any answer";
    ApprovalComments "approval.missing_comments" Fixed "a request for changes needs comments" "say what should change";
    ApprovalAssurance "approval.assurance" Fixed "it is not known well enough who approves" "approve on a terminal or through the host";
    HandoffNotAdmitted "handoff.not_admitted" Fixed "nothing admits this plan to execution" "get a person's approval of this exact plan";
    HandoffTarget "handoff.unknown_target" Fixed "the protocol knows no such target" "use one of the targets of the protocol";
    HandoffOtherTarget "handoff.other_target" Fixed "the plan was admitted to another target" "hand off to the admitted target, or approve again";
    HandoffUnavailable "handoff.target_unavailable" Fixed "the target is not available" "make the target available, or choose another";
    HandoffStuck "handoff.stuck" Fixed "planning is stuck, so nothing is handed off" "go on with `new --from`";
    AdmissionOff "admission.off" Fixed "automatic admission is off" "a person approves the plan";
    OrderContext "order.context_missing" Softenable "the stages before the first draft are not all written" "write the missing context first";
    OrderNoDraft "order.no_draft" Softenable "there is no draft to review" "write the draft first";
    OrderOpensFirst "order.opens_first" Softenable "this stage opens the first iteration only" "revise with the stage that opens later iterations";
    OrderOpensAgain "order.opens_again" Softenable "this stage opens later iterations only" "start with the stage that opens the first iteration";
    OrderJoin "order.join_incomplete" Softenable "not all required reviews of the draft are in" "wait for the missing reviews";
    OrderGroup "order.review_too_early" Softenable "an earlier reviewer has not reviewed this draft yet" "wait for the earlier review";
    OrderRound "order.round_over" Softenable "an objection has ended this round" "revise the draft";
    OrderConsensus "order.no_objection" Softenable "nothing calls for a revision" "go on to the closing stages";
    OrderNoConsensus "order.no_consensus" Softenable "the reviewers do not all approve the draft" "revise the draft until they do";
    OrderClosing "order.closing" Softenable "an earlier closing stage is missing" "write the earlier stage first";
    OrderFinal "order.after_final" Softenable "the final exists already" "answer the approval question first";
    OrderStageNumber "order.stage_number" Softenable "the stage number is not the iteration" "use the number of the iteration";
    OrderPass "order.pass" Softenable "the pass is not the next one of the lane" "use the next pass";
    OrderContextLate "order.context_late" Softenable "the draft of this iteration exists already" "write context before the draft";
    OrderNoConflict "order.no_conflict" Softenable "there is no conflict to settle" "go on without a disposition";
    ReviewWrongDraft "review.wrong_draft" Softenable "the review read another draft than the current one" "review the current draft";
    ReviewDraftMissing "review.draft_not_stated" Softenable "the review does not say which draft it read" "state the digest of the draft";
    VerdictMissing "verdict.missing" Softenable "the review has no readable verdict" "state the verdict on a line of its own, for example `Verdict: APPROVE`";
    VerdictUnknown "verdict.unknown" Fixed "the verdict is not one of the protocol's words" "use one of the expected words";
    VerdictContradictory "verdict.contradictory" Fixed "the review states two different verdicts" "state one verdict, once";
    FindingMissing "finding.missing" Softenable "the review has no findings block" "end the review with a fenced `ralplan-findings` block, which may be empty";
    FindingUnreadable "finding.unreadable" Softenable "the findings block cannot be read" "correct the block at the line that is named";
    PushbackMissing "pushback.missing" Softenable "every reviewer approved the first draft without a single finding" "review again and name the strongest objection, or at least a finding of severity watch";
    IdentityMissing "identity.missing" Softenable "an id that the protocol asks for is missing" "state who acts";
    IdentityRole "identity.role" Softenable "this role may not write this stage" "let the named role write it";
    IdentitySelfReview "identity.self_review" Softenable "the reviewer wrote the draft, or reviews in another lane" "let another agent review";
    IdentityLeader "identity.leader" Softenable "the leader may not do the work of this role" "let a separate agent do it";
    IdentityShared "identity.shared_turn" Softenable "two roles acted in one invocation or turn" "run each role on its own";
    IdentityRepeated "identity.repeated_text" Softenable "the text repeats an earlier review" "review the draft itself";
    IdentityAssignment "identity.assignment_missing" Softenable "the write does not carry the token of an assignment" "assign the role first and submit with its token";
    IdentityToken "identity.assignment_wrong" Softenable "the token is not that of the current assignment of this role, stage and draft" "use the token of the newest assignment, once";
    IdentityAssurance "identity.assurance" Softenable "it is not known well enough who acts" "use a host that sees which agent acts";
    IdentityTwoRoles "identity.two_roles" Fixed "one artifact speaks for two roles" "let each role write its own artifact";
    DocumentPrinciples "document.principles" Softenable "the principles are missing or not 3 to 5" "list 3 to 5 principles";
    DocumentDrivers "document.drivers" Softenable "the decision drivers are missing or not exactly 3" "list the top 3 decision drivers";
    DocumentOptions "document.options" Softenable "there are fewer than 2 options and no reason why the others fell" "list at least 2 options, or say why the alternatives were discarded";
    DocumentOptionSides "document.option_sides" Softenable "an option lacks its pros or cons" "name what speaks for and against each option";
    DocumentPremortem "document.premortem" Softenable "the pre-mortem is missing or has fewer than 3 scenarios" "describe 3 ways in which the plan fails";
    DocumentTestPlan "document.test_plan" Softenable "the test plan does not cover unit, integration, e2e and observability" "add the missing kinds";
    DocumentAdr "document.adr" Softenable "the architecture decision record is missing" "add a section `Architecture Decision Record`";
    DocumentAdrField "document.adr_field" Softenable "a field of the architecture decision record is missing" "add the field";
    DocumentPlaceholder "document.placeholder" Softenable "a required part is only a placeholder" "write the part";
    DocumentByReference "document.by_reference" Softenable "a required part only points to an earlier document" "repeat the part, so that the plan can be read alone";
    DocumentAcceptance "document.acceptance_criteria" Softenable "the acceptance criteria are missing" "list testable acceptance criteria";
    DocumentCoverage "document.coverage_map" Softenable "the requirement coverage map is missing" "add a section `Requirement Coverage Map`";
    DocumentTasks "document.task_breakdown" Softenable "the task breakdown is missing" "break the plan into tasks";
    DocumentTaskPaths "document.task_paths" Softenable "a task names no exact file path" "name the files of each task";
    DocumentGraph "document.dependency_graph" Softenable "the dependency graph is missing, has a cycle or names an unknown task" "say which task depends on which";
    DocumentTaskCriteria "document.task_criteria" Softenable "a task has no acceptance criteria" "say for each task when it is done";
    DocumentRisks "document.risk_register" Softenable "the risk register is missing" "list the risks with their mitigation";
    InterviewOpen "interview.items_open" Softenable "open items have not been answered" "ask the person, one item at a time";
    InterviewToken "interview.token" Softenable "the stated outcome of the interview is not the one that follows from the answers" "state the outcome that follows, or let the core write the document";
    InterviewUnreadable "interview.unreadable" Softenable "the block of open items cannot be read" "correct the block at the line that is named";
    FinalNotReviewed "final.not_the_reviewed_plan" Softenable "the final is not the reviewed draft followed by closing sections only" "let the core compose the final, or submit the draft byte for byte and append only allowed sections";
    StoreLocked "store.locked" Host "another process holds the run for too long" "wait for it, or end it";
    StoreIo "store.io" Host "the file system refused an operation" "check space and permissions, then run the command again";
    StoreUnknown "store.outcome_unknown" Host "it is not known whether the write arrived" "read the run again before anything else";
    AgentNotFound "agent.not_found" Host "the agent's program was not found" "install the program or correct the command in ralplan.toml";
    AgentNotExecutable "agent.not_executable" Host "the agent's program cannot be executed" "make the file executable";
    AgentExit "agent.exit" Host "the agent's program ended with an error" "read its last lines of error output";
    AgentTimeout "agent.timeout" Host "the agent's program did not end in time" "raise the time limit, or look at what it waits for";
    AgentEmpty "agent.empty" Host "the agent wrote nothing" "check the command; the artifact is expected on standard output";
    AgentTooLarge "agent.too_large" Host "the agent wrote more than the limit" "raise the limit or ask for less";
    AgentNotUtf8 "agent.not_utf8" Host "the agent's output is not UTF-8" "let the program write UTF-8";
    AgentRefused "agent.refused" Host "what the agent wrote was refused" "see the reasons; the agent is asked again within its policy";
    AgentCancelled "agent.cancelled" Host "the agent was stopped on request" "go on with `run --resume`";
    AgentIo "agent.io" Host "the agent could not be run" "see the system's message";
}
