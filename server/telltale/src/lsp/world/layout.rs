//! Whether a folder is laid out on disk as it was when it was read.

use super::folder::Folder;
use super::read::Files;

/// How a folder is laid out now.
pub(crate) enum Laid {
    /// That cannot be told. It is left as it is: reading it again would only take away.
    Unknown,
    /// With other source sets, build files, settings or queries.
    Otherwise,
    /// As it was, with these files.
    Files(Files),
}

/// Looks at how a folder is laid out.
pub(crate) fn laid(folder: &Folder) -> Laid {
    let Ok((config, _)) = project::load_config(&folder.root) else {
        return Laid::Unknown;
    };
    if config != *folder.config {
        return Laid::Otherwise;
    }
    let Ok(layout) = project::discover(&folder.root, &folder.settings) else {
        return Laid::Unknown;
    };
    let queries = project::load_queries(&folder.root).unwrap_or_default();
    let is_as_before = *layout.source_sets == *folder.source_sets
        && *layout.builds == *folder.builds
        && queries == *folder.queries;
    match is_as_before {
        true => Laid::Files(Files::of(&layout)),
        false => Laid::Otherwise,
    }
}
