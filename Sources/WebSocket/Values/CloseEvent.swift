/// How a connection ended.
package struct CloseEvent: Equatable, Sendable {
  /// Who ended it.
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
  /// Who ended the connection.
  package let initiator: Initiator

  /// Creates an event.
  package init(code: CloseCode, reason: String, initiator: Initiator) {
    self.code = code
    self.reason = reason
    self.initiator = initiator
  }
}

extension CloseEvent {
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
