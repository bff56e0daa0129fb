/// A library that this process alone may write.
///
/// The connection holds the library's lock until it and its last statement are gone.
package struct WritableLibrary: ~Copyable {
  /// The one connection that writes.
  package let connection: Connection
  /// Whether the files are still the ones that were written last.
  package let continuity: LibraryContinuity
  /// The schema version before this opening migrated it; nil when there was nothing to migrate.
  package let migratedFrom: Int?
}
