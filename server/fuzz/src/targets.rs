//! What is fed, and what must hold whatever it was.

mod builds;
mod java;
mod libraries;
mod server;

/// Feeds one input.
pub type Target = fn(&[u8]);

/// All of them, by name; the seeds of each lie in `tests/fuzz/NAME`.
pub const ALL: &[(&str, Target)] = &[
    ("java", java::program),
    ("queries", java::queries),
    ("frames", server::frames),
    ("documents", server::documents),
    ("classfile", libraries::class_file),
    ("image", libraries::image),
    ("jar", libraries::jar),
    ("maven", builds::maven),
    ("gradle", builds::gradle),
    ("settings", builds::settings),
];

/// The pool that work is spread over gets stacks as small as those of a language server.
pub fn small_stacks() {
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(2 << 20)
        .num_threads(2);
    pool.build_global()
        .expect("nobody asked for the pool before");
}

/// Text of which what is no UTF-8 is replaced.
fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}
