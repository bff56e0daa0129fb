import CWebSockets

/// The memory that was freed and that the C library keeps for what comes next.
package enum FreedMemory {
  /// Gives it back to the system.
  package static func giveBack() { clws_trim_heap() }
}
