/// The budgets of a process that serves libraries.
package struct ProcessLimits: Sendable {
  /// The most rooms that are open at once: each has some descriptors, and its share of the memory.
  package var rooms = Int.max
  /// The time after which a room is closed that nobody uses; nil to leave it open.
  package var idleTime: Duration?

  /// Creates the limits of a process that keeps its rooms open.
  package init() {}
}
