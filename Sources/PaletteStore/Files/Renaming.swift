import CSQLite

/// Gives a file another name; false, with `errno` set, also where the name is taken.
func renameWithoutReplacing(_ path: String, to destination: String) -> Bool {
  csqlite_rename_without_replacing(path, destination) == 0
}
