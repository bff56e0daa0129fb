/// The amount that a connection may send before it is answered.
package struct ReceiveLimits: Equatable, Sendable {
  /// The most bytes of a message; one that announces more closes the connection with 1009.
  package let messageBytes: Int
  /// The sender: the unfinished messages of all connections with the same sender count together.
  package let sender: String
  /// The most bytes that all unfinished messages of the sender may have; the connection that goes
  /// beyond is closed with 1013.
  package let unfinishedBytes: Int

  /// Creates limits.
  package init(messageBytes: Int, sender: String, unfinishedBytes: Int) {
    self.messageBytes = messageBytes
    self.sender = sender
    self.unfinishedBytes = unfinishedBytes
  }
}

/// The bytes of unfinished messages, summed by sender.
final class UnfinishedBytes {
  private var sums: [String: Int] = [:]

  /// The bytes of a sender's unfinished messages.
  func sum(of sender: String) -> Int { sums[sender] ?? 0 }

  /// Changes what one connection of a sender holds.
  func replace(_ old: Int, by new: Int, of sender: String) {
    let sum = sum(of: sender) - old + new
    sums[sender] = sum > 0 ? sum : nil
  }
}
