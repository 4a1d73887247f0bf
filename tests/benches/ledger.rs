//! Open, decide and verify a ledger of 60, 1,000 and 10,000 entries: each must grow with its length only.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ralplan_core::run::{Act, Annotate, Command, Observed, Run};
use ralplan_tests::script::{Script, host, protocol};
use ralplan_tests::texts::{draft, review};

/// A run in its second iteration, with notes, assignments and settings up to the wanted length.
fn ledger(entries: usize) -> String {
    let mut script = Script::started(protocol("standard"), "Add rate limiting");
    script.write("planner", "planner", &draft("one"));
    script.write(
        "architect",
        "architect",
        &review("a1", "Verdict: REVISE", &[("f1", "risk-register", "block")]),
    );
    script.write("critic", "critic", &review("c1", "Verdict: APPROVE", &[]));
    script.write("planner", "revision", &draft("two"));
    let mut number = 0;
    while script.run.state().map_or(0, |state| state.entries().len()) < entries {
        number += 1;
        script.act(host(), note(number));
    }
    script.ledger
}

fn note(number: usize) -> Act {
    Act::Annotate(Annotate { name: "note".to_owned(), text: format!("the note with number {number}") })
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ledger");
    group.sample_size(10).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    for entries in [60, 1_000, 9_980] {
        let ledger = ledger(entries);
        let run = Run::open(ledger.as_bytes(), None);
        let command =
            Command { actor: host(), at: "2026-01-31T23:00:00.000Z".to_owned(), owner: None, act: note(0) };
        group.throughput(Throughput::Elements(u64::try_from(entries).unwrap_or(u64::MAX)));
        group.bench_function(BenchmarkId::new("open", entries), |bencher| {
            bencher.iter(|| Run::open(black_box(ledger.as_bytes()), None));
        });
        group.bench_function(BenchmarkId::new("decide", entries), |bencher| {
            bencher.iter(|| run.decide(black_box(&command), &Observed::default()));
        });
        group.bench_function(BenchmarkId::new("open and decide", entries), |bencher| {
            bencher.iter(|| {
                Run::open(black_box(ledger.as_bytes()), None).decide(&command, &Observed::default())
            });
        });
        group.bench_function(BenchmarkId::new("verify", entries), |bencher| {
            bencher.iter(|| run.verify("ledger.jsonl", None));
        });
    }
    group.finish();
}

criterion_group!(ledgers, benches);
criterion_main!(ledgers);
