import CSQLite

/// Gives a file another name; false, with `errno` set, also where the name is taken.
func renameWithoutReplacing(_ path: String, to destination: String) -> Bool {
  csqlite_rename_without_replacing(path, destination) == 0
}

/// Gives each of two files the name of the other, at once; false, with `errno` set, where that fails.
package func exchangeNames(_ one: String, _ other: String) -> Bool {
  csqlite_exchange_names(one, other) == 0
}
