/// The rules of an upgrade that do not depend on who asks.
struct UpgradeCheck {
  /// What the rules say about a request.
  enum Verdict: Equatable {
    case accept(Route, subprotocol: String?)
    case reject(status: Int, headers: [HTTPField] = [])
  }

  let routes: [Route]

  func verdict(on head: UpgradeHead) -> Verdict {
    // `h2c` above all: libwebsockets would answer it with 101 before anyone could object.
    guard head.upgrade?.lowercased() == "websocket" else { return .reject(status: 400) }
    guard head.isGet, head.isHTTP11, !head.hasBody else { return .reject(status: 400) }
    guard head.version == "13" else {
      return .reject(status: 426, headers: [HTTPField("sec-websocket-version", "13")])
    }
    guard let key = head.key, Self.isKey(key) else { return .reject(status: 400) }
    guard let route = routes.first(where: { $0.path == head.path }) else {
      return .reject(status: 404)
    }
    guard let offers = Self.offers(head.subprotocols) else { return .reject(status: 400) }
    if offers.isEmpty {
      return route.allowsNoSubprotocol ? .accept(route, subprotocol: nil) : .reject(status: 400)
    }
    // libwebsockets agrees to the first offer that any route knows, so that one must be ours.
    let known = offers.first { offer in routes.contains { $0.subprotocols.contains(offer) } }
    guard let known, route.subprotocols.contains(known) else { return .reject(status: 400) }
    return .accept(route, subprotocol: known)
  }

  /// Whether the text is sixteen bytes in base64.
  private static func isKey(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[22...] == [UInt8(ascii: "="), UInt8(ascii: "=")] else {
      return false
    }
    return bytes[..<22].allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
  }

  /// The offered subprotocols in order, or nil when the header is malformed or longer than
  /// libwebsockets reads.
  private static func offers(_ header: String?) -> [String]? {
    guard let header, !header.isEmpty else { return [] }
    guard header.utf8.count < 127 else { return nil }
    var offers: [String] = []
    for part in header.split(separator: ",", omittingEmptySubsequences: false) {
      let token = part.trimmingBlanks()
      guard !token.isEmpty, token.utf8.count < 64, token.utf8.allSatisfy(\.isTokenByte) else {
        return nil
      }
      offers.append(token)
    }
    return offers
  }
}

extension UInt8 {
  /// Whether libwebsockets and RFC 7230 agree that the byte belongs to a token.
  fileprivate var isTokenByte: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Substring {
  /// The text without blanks at its ends.
  func trimmingBlanks() -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let start = firstIndex(where: { !isBlank($0) }),
      let end = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[start...end])
  }
}
