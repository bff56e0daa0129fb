/// The status code of a WebSocket close (RFC 6455, section 7.4).
package struct CloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The code as it travels.
  package let rawValue: UInt16

  /// Names a code; 4000 to 4999 are for applications.
  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// 1000: the purpose is fulfilled.
  package static let normal = CloseCode(rawValue: 1000)
  /// 1001: the process is going away.
  package static let goingAway = CloseCode(rawValue: 1001)
  /// 1002: the other side broke the protocol.
  package static let protocolError = CloseCode(rawValue: 1002)
  /// 1003: the other side sent a kind of message that is not accepted.
  package static let notAccepted = CloseCode(rawValue: 1003)
  /// 1005: never sent; the other side closed without a code.
  package static let noStatus = CloseCode(rawValue: 1005)
  /// 1006: never sent; the connection ended without a close.
  package static let abnormal = CloseCode(rawValue: 1006)
  /// 1007: a text message was not UTF-8.
  package static let invalidPayload = CloseCode(rawValue: 1007)
  /// 1008: the message breaks a policy.
  package static let policyViolation = CloseCode(rawValue: 1008)
  /// 1009: the message is larger than the receiver accepts.
  package static let messageTooBig = CloseCode(rawValue: 1009)
  /// 1011: the server cannot fulfil the request.
  package static let internalError = CloseCode(rawValue: 1011)
  /// 1012: the service restarts.
  package static let serviceRestart = CloseCode(rawValue: 1012)
  /// 1013: the receiver is too slow, or the server too busy; come back later.
  package static let tryAgainLater = CloseCode(rawValue: 1013)

  /// The number.
  package var description: String { String(rawValue) }
}
