//! Files that one call keeps for the next, below `.telltale/`: whole or not there.
//!
//! The first line of a file says the format and a hash of the rest, so that what is cut or damaged is not there; it appears
//! whole, so that calls at the same time see one or the other. Of a folder of them the oldest go first.

use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

/// The first words of a file.
const FORMAT: &str = "telltale-kept 2";

/// Up to how many bytes one is read.
const LARGEST: u64 = 256_000_000;

/// How the name of a file begins that is being written.
const UNFINISHED: &str = "new-";

/// How many things are kept of what was made.
const MOST_MADE: usize = 128;

/// A thing that takes more bytes is made again by each call.
const LARGEST_MADE: usize = 16_000_000;

/// The file of a question.
pub(super) fn file_name(asked: &str) -> String {
    format!("{:016x}", hash(asked.as_bytes()))
}

pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

pub(super) fn read<T: for<'a> Deserialize<'a>>(file: &Path) -> Option<T> {
    let text = project::read_source(file, LARGEST).ok()?;
    let (head, body) = text.split_once('\n')?;
    (head == header(body)).then_some(())?;
    let read = serde_json::from_str(body).ok()?;
    // The oldest of what is used goes first.
    let touched = std::fs::File::options().append(true).open(file);
    drop(touched.and_then(|f| f.set_modified(SystemTime::now())));
    Some(read)
}

fn header(body: &str) -> String {
    format!("{FORMAT} {:016x}", hash(body.as_bytes()))
}

/// Writes beside it and puts that in its place.
pub(super) fn write(file: &Path, what: &impl Serialize) -> std::io::Result<()> {
    write_text(file, &serde_json::to_string(what)?)
}

fn write_text(file: &Path, body: &str) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder)?;
    let mut own = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(folder)?;
    own.write_all(header(body).as_bytes())?;
    own.write_all(b"\n")?;
    own.write_all(body.as_bytes())?;
    own.persist(file).map_err(|e| e.error)?;
    Ok(())
}

/// Takes away what was not used for the longest time, and what a killed call left.
pub(super) fn bound(folder: &Path, most: usize) {
    let all = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut known: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in all {
        let Ok(data) = entry.metadata() else {
            continue;
        };
        let Ok(at) = data.modified() else {
            continue;
        };
        let name = entry.file_name();
        let is_unfinished = name.to_string_lossy().starts_with(UNFINISHED);
        let is_old = at.elapsed().is_ok_and(|age| age > super::OLD);
        match is_unfinished {
            _ if data.is_dir() => {}
            true if is_old => drop(std::fs::remove_file(entry.path())),
            true => {}
            false => known.push((at, entry.path())),
        }
    }
    known.sort();
    let gone = known.len().saturating_sub(most);
    for (_, file) in &known[..gone] {
        drop(std::fs::remove_file(file));
    }
}

/// What was made of the same ground: it hangs on that and on its own name alone.
pub(super) struct Shelf {
    folder: PathBuf,
    /// All that the ground rests on, as one number.
    ground: u64,
    /// What is there is made again.
    is_fresh: bool,
    /// What this call made: file and text.
    made: Mutex<Vec<(PathBuf, String)>>,
}

/// A thing with its name in full: two may have one hash.
#[derive(Serialize, Deserialize)]
struct Made<T> {
    name: String,
    is: T,
}

impl Shelf {
    pub(super) fn new(folder: PathBuf, ground: u64, is_fresh: bool) -> Shelf {
        Shelf {
            folder,
            ground,
            is_fresh,
            made: Mutex::default(),
        }
    }

    fn place(&self, name: &str) -> (PathBuf, String) {
        let name = format!("{:016x} {name}", self.ground);
        (self.folder.join(file_name(&name)), name)
    }

    /// What an earlier call made.
    pub(super) fn get<T: for<'a> Deserialize<'a>>(&self, name: &str) -> Option<T> {
        let (file, name) = self.place(name);
        let made = (!self.is_fresh).then(|| read::<Made<T>>(&file))??;
        (made.name == name).then_some(made.is)
    }

    /// Has a thing ready to be kept.
    pub(super) fn put(&self, name: &str, is: &impl Serialize) {
        let (file, name) = self.place(name);
        // What cannot be kept is made again by the next call.
        if let (Ok(text), Ok(mut made)) =
            (serde_json::to_string(&Made { name, is }), self.made.lock())
            && text.len() <= LARGEST_MADE
        {
            made.push((file, text));
        }
    }

    /// True if there is something to keep.
    pub(super) fn has_more(&self) -> bool {
        self.made.lock().is_ok_and(|made| !made.is_empty())
    }

    /// Keeps all that is ready.
    pub(super) fn keep(&self) {
        let Ok(mut made) = self.made.lock() else {
            return;
        };
        for (file, text) in made.drain(..) {
            drop(write_text(&file, &text));
        }
        bound(&self.folder, MOST_MADE);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_or_damaged_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mutants").join("a");
        write(&file, &vec![1u32, 2, 3]).unwrap();
        assert_eq!(read(&file), Some(vec![1u32, 2, 3]));
        let whole = std::fs::read(&file).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&file, &whole[..cut]).unwrap();
            assert_eq!(read::<Vec<u32>>(&file), None, "{cut}");
            let mut other = whole.clone();
            other[cut] ^= 1;
            std::fs::write(&file, other).unwrap();
            assert_eq!(read::<Vec<u32>>(&file), None, "{cut}");
        }
        // Another takes its place.
        write(&file, &vec![4u32]).unwrap();
        assert_eq!(read(&file), Some(vec![4u32]));
        assert_eq!(read::<String>(&file), None);
    }

    #[test]
    fn writers_at_the_same_time_leave_one_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        let write_many = |n: u64| {
            for _ in 0..50 {
                write(&file, &vec![n; 2000]).unwrap();
                let seen: Vec<u64> = read(&file).unwrap();
                assert!(seen.len() == 2000 && seen.iter().all(|one| *one == seen[0]));
            }
        };
        std::thread::scope(|scope| {
            (0..4).for_each(|n| drop(scope.spawn(move || write_many(n))));
        });
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_was_not_used_for_long_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let file = |n: usize| folder.path().join(n.to_string());
        let most = 5;
        for n in 0..most + 3 {
            write(&file(n), &n).unwrap();
            let at = SystemTime::now() - std::time::Duration::from_secs(1000 - n as u64);
            let open = std::fs::File::options().append(true).open(file(n)).unwrap();
            open.set_modified(at).unwrap();
        }
        assert_eq!(read(&file(1)), Some(1usize));
        std::fs::create_dir(folder.path().join("made")).unwrap();
        bound(folder.path(), most);
        let there: Vec<usize> = (0..most + 3).filter(|n| file(*n).exists()).collect();
        assert_eq!(there.len(), most);
        assert_eq!((there[0], there[1]), (1, 4));
        assert!(folder.path().join("made").is_dir());
    }

    #[test]
    fn what_was_made_of_another_ground_or_under_another_name_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = |ground, is_fresh| Shelf::new(folder.path().join("made"), ground, is_fresh);
        let one = shelf(1, false);
        one.put("a", &3u32);
        assert!(one.has_more());
        assert_eq!(shelf(1, false).get::<u32>("a"), None);
        one.keep();
        assert!(!one.has_more());
        assert_eq!(shelf(1, false).get("a"), Some(3u32));
        assert_eq!(shelf(1, false).get::<u32>("b"), None);
        assert_eq!(shelf(2, false).get::<u32>("a"), None);
        assert_eq!(shelf(1, true).get::<u32>("a"), None);
        // Another name may have the same hash.
        let (file, _) = one.place("a");
        write(
            &file,
            &Made {
                name: "z".to_owned(),
                is: 4u32,
            },
        )
        .unwrap();
        assert_eq!(shelf(1, false).get::<u32>("a"), None);
    }
}
