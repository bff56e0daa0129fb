/// The state of the connection to a joined peer.
package enum PeerConnectionState: String, CaseIterable, Sendable {
  case live, connecting, refused, offline
}

/// The reason why a joined peer is not in sync.
package struct PeerError: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The word for it that programs decide by: that of a refusal, or `otherKey`; nil for all that passes by itself.
  package let code: String?
  /// The reason as a person is to read it.
  package let reason: String

  /// The code where another node answers than the one that made the join code.
  package static let otherKey = "other-key"
  /// The code where both speak different versions of the protocol.
  package static let incompatible = "incompatible"
  /// The code where no more edits are taken for now.
  package static let overQuota = "over-quota"

  /// Describes a reason.
  package init(code: String? = nil, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Describes a refusal of which only the code is known.
  package init(refusal code: String) {
    let known = LoginRefusal(rawValue: code)?.reason
    self.init(
      code: code,
      known ?? (code == Self.incompatible ? "it speaks another version of the protocol" : code)
    )
  }

  /// Reads the reason that a peer gave when it hung up.
  package init(closing text: String) {
    guard let colon = text.firstRange(of: ": "),
      text[..<colon.lowerBound].utf8.allSatisfy({ (97...122).contains($0) || $0 == 45 })
    else {
      self.init(text)
      return
    }
    self.init(code: String(text[..<colon.lowerBound]), String(text[colon.upperBound...]))
  }

  /// Describes a reason that passes by itself.
  package init(stringLiteral reason: String) { self.init(reason) }

  /// The code and the reason, as logs and answers have them.
  package var text: String { code.map { "\($0): \(reason)" } ?? reason }
}
