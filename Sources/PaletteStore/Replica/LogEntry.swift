/// One entry of a library's log.
package struct LogEntry: Hashable, Sendable {
  /// Its place in the log, with the hash over all up to it.
  package let position: CachePosition
  /// The changes as the log keeps them; nil for a jump, whose image has them.
  package let content: [UInt8]?

  /// Describes an entry as the log has it; nothing is checked.
  package init(position: CachePosition, content: [UInt8]?) {
    self.position = position
    self.content = content
  }
}
