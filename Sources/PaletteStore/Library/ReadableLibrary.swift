/// A library that is open for reading; nothing in its folder changes by it.
package struct ReadableLibrary: ~Copyable {
  /// A connection that refuses to write.
  package let connection: Connection
  /// The schema version of the file, at most the one that was asked for.
  package let version: Int
  /// Whether the files are still the ones that were written last.
  package let continuity: LibraryContinuity
  /// How the file is read.
  package let mode: ReadingMode
}
