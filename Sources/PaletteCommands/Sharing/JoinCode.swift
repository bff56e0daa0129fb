internal import PaletteFormats
package import PaletteMerge
internal import PaletteModel

/// The code that `share` prints and `join` accepts: a node's address, its key, and the right to
/// enter.
package struct JoinCode: Equatable {
  /// URLs at which the node may be reached, to be tried in turn.
  package var addresses: [String]
  /// The secret, which one library can redeem.
  package var secret: [UInt8]
  /// The beginning of the hash of the node's TLS key; empty where a certificate authority vouches for it.
  var pin: [UInt8]
  /// The grant that joining gives.
  package var grant: Grant
  /// The library of the node.
  var library: RecordID
  /// The name of the palette that is shared; nil for the whole library.
  var paletteName: String?

  /// The most addresses of a code: each is dialed, and a code may come from a stranger.
  package static let addressLimit = 32
  /// How many bytes of a secret, and of a pin, a code has: it works once, and for a short while.
  package static let secretBytes = 16
  /// The most bytes of a palette's name in a code, where it only says what is shared.
  private static let nameBytes = 60

  /// The code as one word of letters and digits.
  var text: String {
    let role = UInt8(Role.allCases.firstIndex(of: grant.role) ?? 0)
    var bytes = [
      role | (grant.palette == nil ? 0 : 0x10) | (pin.isEmpty ? 0 : 0x20)
    ]
    bytes += secret
    bytes += pin
    bytes += library.bytes
    if let palette = grant.palette { bytes += palette.record.bytes }
    for (index, address) in addresses.enumerated() {
      bytes += CodeAddress.bytes(of: address, isLast: index == addresses.count - 1)
    }
    bytes += Self.shortened(paletteName ?? "").utf8
    return CodeText.text(bytes)
  }

  init(
    addresses: [String],
    secret: [UInt8],
    pin: [UInt8],
    grant: Grant,
    library: RecordID,
    paletteName: String? = nil
  ) {
    self.addresses = addresses
    self.secret = Array(secret.prefix(Self.secretBytes))
    self.pin = Array(pin.prefix(Self.secretBytes))
    self.grant = grant
    self.library = library
    self.paletteName = paletteName
  }

  /// The part that a node's core needs.
  var ticket: JoinTicket {
    JoinTicket(addresses: addresses, pin: pin, code: secret, grant: grant, library: library)
  }

  /// The grant in words for people.
  package var description: String {
    guard grant.palette != nil else { return "\(grant.role.rawValue) of the whole library" }
    return
      "\(grant.role.rawValue) of \(paletteName.map { "'\(SafeText.words($0))'" } ?? "one palette")"
  }

  /// Reads a code, with anything around it and between its letters that mails and chats put there.
  package init(_ text: String) throws(APIError) {
    let bytes: [UInt8]
    do {
      bytes = try CodeText.bytes(in: text)
    } catch {
      throw Self.refusal(of: text, error)
    }
    guard let code = Self(bytes) else { throw Self.refusal(of: text, .mistyped) }
    self = code
  }

  private static func refusal(of text: String, _ flaw: CodeText.Flaw) -> APIError {
    let hint = "copy the whole code that 'hued share' printed, or let it print another"
    switch flaw {
    case .cutOff:
      return APIError(
        code: "bad-code",
        message: "the join code is cut off: its end is missing",
        hint: hint
      )
    case .mistyped:
      return APIError(
        code: "bad-code",
        message: "the join code is mistyped: a letter of it is wrong",
        hint: hint
      )
    case .none where text.contains("://"):
      return APIError(
        code: "bad-value",
        message: "this is the address of a page, and no join code",
        hint: "open it in a browser; 'hued share' prints a code that can be joined"
      )
    case .none:
      return APIError(
        code: "bad-value",
        message: "this is no join code",
        hint: "'hued share' on the other machine prints one; it begins with \(CodeText.prefix)"
      )
    }
  }

  /// Refuses a code none of whose addresses may be used: its secret would be sent for all to read.
  ///
  /// - Throws: `bad-value`.
  package func checkAddresses() throws(APIError) {
    let isUsable = addresses.contains { PeerURL($0).map { !$0.isPlainBeyondLoopback } ?? false }
    guard !isUsable else { return }
    throw APIError(
      code: "bad-value",
      message: "the code has no address with encryption: "
        + SafeText.words(addresses.joined(separator: ", ")),
      hint: "beyond this machine only https:// is used; see --public-url of 'hued serve'"
    )
  }

  /// Reads what the word of a code holds; nil for what is none.
  private init?(_ content: [UInt8]) {
    var rest = content[...]
    func bytes(_ count: Int) -> [UInt8]? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    guard let flags = bytes(1)?[0], flags < 0x40, Role.allCases.indices.contains(Int(flags & 15)),
      let secret = bytes(Self.secretBytes),
      let pin = bytes(flags & 0x20 == 0 ? 0 : Self.secretBytes),
      let library = bytes(16).flatMap({ RecordID(bytes: $0) })
    else { return nil }
    var palette: PaletteID?
    if flags & 0x10 != 0 {
      guard let record = bytes(16).flatMap({ RecordID(bytes: $0) }) else { return nil }
      palette = PaletteID(record)
    }
    var addresses: [String] = []
    var isLast = false
    while !isLast {
      guard addresses.count < Self.addressLimit, let next = CodeAddress.read(&rest) else {
        return nil
      }
      addresses.append(next.address)
      isLast = next.isLast
    }
    guard let name = String(validating: rest, as: UTF8.self) else { return nil }
    self.init(
      addresses: addresses,
      secret: secret,
      pin: pin,
      grant: Grant(Role.allCases[Int(flags & 15)], on: palette),
      library: library,
      paletteName: palette == nil || name.isEmpty ? nil : name
    )
  }

  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > nameBytes else { return name }
    var short = name
    while short.utf8.count > nameBytes - 3 { short.removeLast() }
    return short + "…"
  }
}

/// An address in a join code: most are an IP address and a port.
private enum CodeAddress {
  /// The port that needs no bytes.
  private static let usualPort: UInt16 = 4833
  private static let isLastBit: UInt8 = 0x80
  private static let isUsualPortBit: UInt8 = 0x40

  /// The bytes of an address: a kind, and what that needs.
  static func bytes(of address: String, isLast: Bool) -> [UInt8] {
    let last = isLast ? isLastBit : 0
    for isEncrypted in [true, false] {
      let scheme = isEncrypted ? "https://" : "http://"
      guard address.hasPrefix(scheme), let colon = address.lastIndex(of: ":"),
        let port = UInt16(address[address.index(after: colon)...])
      else { continue }
      let parts = address[..<colon].dropFirst(scheme.count).split(
        separator: ".",
        omittingEmptySubsequences: false
      )
      let octets = parts.compactMap { UInt8($0) }
      // Only what is read as the very same text is written shorter.
      guard parts.count == 4, octets.count == 4, text(isEncrypted, octets, port) == address else {
        continue
      }
      let kind: UInt8 = (isEncrypted ? 1 : 2) | last
      if port == usualPort { return [kind | isUsualPortBit] + octets }
      return [kind] + octets + [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
    }
    let text = Array(address.utf8.prefix(1_000))
    return [last, UInt8(text.count >> 8), UInt8(truncatingIfNeeded: text.count)] + text
  }

  /// Reads an address from the beginning of some bytes, which it is taken from; nil where there is none.
  static func read(_ rest: inout ArraySlice<UInt8>) -> (address: String, isLast: Bool)? {
    func bytes(_ count: Int) -> [UInt8]? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    guard let kind = bytes(1)?[0] else { return nil }
    let isLast = kind & isLastBit != 0
    switch kind & ~(isLastBit | isUsualPortBit) {
    case 0 where kind & isUsualPortBit == 0:
      guard let count = bytes(2), let text = bytes(Int(count[0]) << 8 | Int(count[1])),
        let address = String(validating: text, as: UTF8.self)
      else { return nil }
      return (address, isLast)
    case 1, 2:
      guard let octets = bytes(4) else { return nil }
      var port = usualPort
      if kind & isUsualPortBit == 0 {
        guard let number = bytes(2) else { return nil }
        port = UInt16(number[0]) << 8 | UInt16(number[1])
      }
      return (text(kind & 3 == 1, octets, port), isLast)
    default: return nil
    }
  }

  private static func text(_ isEncrypted: Bool, _ octets: [UInt8], _ port: UInt16) -> String {
    let host = octets.map(String.init).joined(separator: ".")
    return "\(isEncrypted ? "https" : "http")://\(host):\(port)"
  }
}
