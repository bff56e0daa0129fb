internal import WebSocket

/// What a node has counted since its start.
struct NodeMetrics {
  /// When the node started.
  let startMilliseconds: Int64
  var requests = 0
  var commits = 0
  var changes = 0
  var calls = 0
  var failedCalls = 0
  /// Payload, without what protocols add.
  var receivedBytes = 0
  var sentBytes = 0
  /// How often a client did not take what was meant for it.
  var overflows = 0

  /// Connections that were ended before they showed who they are, by reason.
  var refusedConnections: [ConnectionRefusal: Int] = [:]
  /// Requests and greetings without a valid right, and breaches of a protocol.
  var refusals = 0
  /// Edits of members that have to wait for room.
  var delays = 0

  init(startMilliseconds: Int64) {
    self.startMilliseconds = startMilliseconds
  }
}
