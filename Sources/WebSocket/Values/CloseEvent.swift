/// The end of a connection.
package struct CloseEvent: Equatable, Sendable {
  /// The side that ended it.
  package enum Initiator: Sendable {
    /// This side sent the close, or gave up on a silent peer.
    case local
    /// The other side sent the close.
    case remote
    /// Neither: the connection broke.
    case none
  }

  /// The status code: the one that was sent by the initiator.
  package let code: CloseCode
  /// The text that came with the code; from the other side it is a stranger's.
  package let reason: String
  /// The side that ended the connection.
  package let initiator: Initiator

  /// Creates an event.
  package init(code: CloseCode, reason: String, initiator: Initiator) {
    self.code = code
    self.reason = reason
    self.initiator = initiator
  }

  /// The reason that goes with a code when the caller gives none.
  static func standardReason(for code: CloseCode) -> String {
    switch code {
    case .invalidPayload: "not UTF-8"
    case .messageTooBig: "message too big"
    case .serviceRestart: "service restart"
    case .tryAgainLater: "try again later"
    default: ""
    }
  }

  /// Reads the payload of a close frame that the other side sent.
  ///
  /// libwebsockets replaces 1012 and 1013 by 1002 before it shows them, though both are registered;
  /// their standard reasons tell what was meant.
  static func remote(payload: UnsafeRawBufferPointer) -> CloseEvent {
    guard payload.count >= 2 else {
      return CloseEvent(code: .noStatus, reason: "", initiator: .remote)
    }
    var code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    let reason = String(decoding: payload.dropFirst(2), as: UTF8.self)
    if code == .protocolError {
      let hidden = [CloseCode.serviceRestart, .tryAgainLater]
      code = hidden.first { standardReason(for: $0) == reason } ?? code
    }
    return CloseEvent(code: code, reason: reason, initiator: .remote)
  }
}

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
  /// 1012: the service restarts.
  static let serviceRestart = CloseCode(rawValue: 1012)
  /// 1013: the receiver is too slow, or the server too busy; come back later.
  package static let tryAgainLater = CloseCode(rawValue: 1013)

  /// The number.
  package var description: String { String(rawValue) }
}
