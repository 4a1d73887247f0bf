//! The dependency graph must be there, name known tasks, and have no cycle.

use super::check::{PLACEHOLDER, hollow, places_of};
use super::diagnostic::{Context, Diagnostic, Say};
use super::graph::{Graph, GraphReader, Node};
use super::nearest::nearest;
use super::part::Part;
use super::tasks::Tasks;
use super::units::units_of;

const CODE: &str = "document.dependency_graph";
const EXPECTED: &str = "a graph of the tasks without a cycle";

/// Unknown names for which a similar task is looked up; beyond it the hint is not worth the time.
const COMPARED: usize = 20;

/// A part that is there and is neither hollow nor empty.
struct Read {
    graph: Graph,
    at: usize,
    from_labels: bool,
}

pub(crate) fn check_graph(context: &Context<'_>, tasks: &Tasks) -> Vec<Diagnostic> {
    let read = match read_graph(context, tasks) {
        Ok(read) => read,
        Err(diagnostic) => return vec![*diagnostic],
    };
    let mut found = Vec::new();
    if read.from_labels {
        let hint = "collect the dependencies under a heading `Dependency Graph`";
        found.push(context.hint(
            CODE,
            read.at,
            Say { found: "dependencies inside the tasks", expected: EXPECTED, hint },
        ));
    }
    found.extend(unknown_tasks(context, tasks, &read.graph));
    if let Some(cycle) = read.graph.cycle() {
        let names: Vec<&str> = cycle.iter().chain(cycle.first()).map(|node| name_of(tasks, node)).collect();
        let shown = format!("a cycle: {}", names.join(" → "));
        let at = cycle.first().and_then(|node| read.graph.nodes.get(node)).copied().unwrap_or(read.at);
        let hint = "remove one of the dependencies";
        found.push(context.error(CODE, at, Say { found: &shown, expected: EXPECTED, hint }));
    }
    if !read.from_labels && !read.graph.edges.is_empty() {
        found.extend(tasks_left_out(context, tasks, &read));
    }
    found
}

fn read_graph(context: &Context<'_>, tasks: &Tasks) -> Result<Read, Box<Diagnostic>> {
    let hint = "draw the order of the tasks under a heading `Dependency Graph`";
    let places = places_of(context, Part::Graph);
    let mut reader = GraphReader::new(tasks);
    let mut is_listed = false;
    for found in &places {
        is_listed |= !units_of(context.lines(), found).is_empty();
        for number in found.body.clone() {
            reader.read(context.lines(), number);
        }
        is_listed |= reader.rest(&found.rest, found.at);
    }
    if let Some(first) = places.first() {
        if let Some(code) = hollow(context, first, 0).filter(|_| !is_listed) {
            let found = if code == PLACEHOLDER { "a placeholder" } else { "a reference to an earlier text" };
            return Err(Box::new(context.error(code, first.at, Say { found, expected: EXPECTED, hint })));
        }
        let graph = reader.finish();
        if graph.edges.is_empty() && graph.nodes.is_empty() && !is_listed {
            return Err(Box::new(context.error(
                CODE,
                first.at,
                Say { found: "an empty part", expected: EXPECTED, hint },
            )));
        }
        return Ok(Read { graph, at: first.at, from_labels: false });
    }
    let mut is_said = false;
    for (owner, task) in tasks.list.iter().enumerate() {
        for line in context.lines().get(task.lines.clone()).unwrap_or_default() {
            is_said |= reader.task_line(owner, &line.text, line.at);
        }
    }
    if !is_said {
        return Err(Box::new(context.error(CODE, 0, Say { found: "nothing", expected: EXPECTED, hint })));
    }
    let at = tasks.list.first().map_or(0, |task| task.at);
    Ok(Read { graph: reader.finish(), at, from_labels: true })
}

fn unknown_tasks(context: &Context<'_>, tasks: &Tasks, graph: &Graph) -> Vec<Diagnostic> {
    if tasks.list.is_empty() {
        return Vec::new();
    }
    let unknown = graph.nodes.iter().filter_map(|(node, at)| match node {
        Node::Unknown(name) => Some((name, *at)),
        _ => None,
    });
    unknown
        .enumerate()
        .map(|(number, (name, at))| {
            let candidates = if number < COMPARED { tasks.list.as_slice() } else { &[] };
            let near = nearest(candidates.iter().map(|task| task.id.as_str()), name);
            let found = format!("unknown task `{name}`");
            let hint = near.map_or_else(
                || "add the task, or take it out of the graph".to_owned(),
                |near| format!("the closest task is `{near}`"),
            );
            context.error(CODE, at, Say { found: &found, expected: EXPECTED, hint: &hint })
        })
        .collect()
}

fn tasks_left_out(context: &Context<'_>, tasks: &Tasks, read: &Read) -> Option<Diagnostic> {
    let is_out = |index: usize| !read.graph.nodes.contains_key(&Node::Task(index));
    let out: Vec<&str> = tasks
        .list
        .iter()
        .enumerate()
        .filter(|(index, _)| is_out(*index))
        .map(|(_, task)| task.id.as_str())
        .collect();
    let names_tasks = read.graph.nodes.keys().any(|node| matches!(node, Node::Task(_)));
    if out.is_empty() || !names_tasks {
        return None;
    }
    let found = format!("no place for {}", out.join(", "));
    let hint = "add the tasks to the graph, also those that wait for nothing";
    Some(context.hint(CODE, read.at, Say { found: &found, expected: EXPECTED, hint }))
}

fn name_of<'a>(tasks: &'a Tasks, node: &'a Node) -> &'a str {
    match node {
        Node::Task(index) => tasks.list.get(*index).map_or("", |task| task.id.as_str()),
        Node::Unknown(name) | Node::Words(name) => name,
    }
}
