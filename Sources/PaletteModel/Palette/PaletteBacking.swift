/// The log to which a palette is bound, with its own copy of the palette.
package protocol PaletteBacking: AnyObject, Sendable {
  /// Waits until everything that was handed over is durable.
  nonisolated(nonsending) func flush() async throws
  /// Brings the palette to what the log has.
  nonisolated(nonsending) func refresh(_ palette: Palette) async throws
  /// Does so whenever the log has something new, until the task is cancelled.
  nonisolated(nonsending) func follow(_ palette: Palette) async throws
}

extension Palette {
  /// Waits until every edit made here is durable in the log that the palette is bound to.
  ///
  /// A palette that is bound to none has nothing to wait for.
  /// - Throws: Why an edit could not be written. It is kept, and tried again by the next edit or the
  ///   next `flush()`.
  nonisolated(nonsending) public func flush() async throws { try await backing?.flush() }

  /// Takes in what others have written to the log since: name, colors and order.
  ///
  /// Edits made here are written first, so nothing of them is lost. Observers are told of the
  /// difference, with the origin `elsewhere`.
  nonisolated(nonsending) public func refresh() async throws { try await backing?.refresh(self) }

  /// Takes in what others write to the log, as it happens, until the task is cancelled.
  ///
  /// What another process writes is seen with the next commit of this one, or by ``refresh()``.
  nonisolated(nonsending) public func follow() async throws { try await backing?.follow(self) }
}
