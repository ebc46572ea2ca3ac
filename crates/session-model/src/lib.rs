//! Pi session files: entries, tree, branches, context, lineage and text, read-only.
