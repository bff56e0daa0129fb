/// One step from a schema version to the next.
package struct Migration: Sendable {
  /// The version that the library has after this step.
  package let version: Int
  /// Makes the step; part of one transaction with all other steps that are due.
  package let apply: @Sendable (borrowing Connection) throws(StoreError) -> Void

  /// Describes a step; the one to version 1 makes the schema of a new library.
  package init(
    version: Int,
    apply: @escaping @Sendable (borrowing Connection) throws(StoreError) -> Void
  ) {
    self.version = version
    self.apply = apply
  }
}
