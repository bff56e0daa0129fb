internal import PaletteFormats
package import PaletteModel

/// What `share` prints and `join` takes: where a node is, how to know it, and the right to enter.
package struct JoinCode: Equatable {
  /// URLs at which the node may be reached, to be tried in turn.
  package var addresses: [String]
  /// The secret, which one library can redeem.
  package var secret: [UInt8]
  /// The hash of the node's TLS key; empty where a certificate authority vouches for it.
  var pin: [UInt8]
  /// What whoever joins is granted.
  package var grant: Grant
  /// The library of the node.
  var library: RecordID
  /// The name of the palette that is shared; nil for the whole library.
  var paletteName: String?

  /// The most addresses of a code: each is dialed, and a code may come from a stranger.
  package static let addressLimit = 32

  private static let prefix = "hued1-"

  /// The code as one word of letters, digits, `-` and `_`.
  var text: String {
    var writer = CBORWriter()
    writer.write(array: 7)
    writer.write(array: addresses.count)
    for address in addresses { writer.write(text: address) }
    writer.write(bytes: secret)
    writer.write(bytes: pin)
    writer.write(text: grant.role.rawValue)
    if let palette = grant.palette { writer.write(palette.record) } else { writer.writeNull() }
    writer.write(library)
    if let paletteName { writer.write(text: paletteName) } else { writer.writeNull() }
    let base64 = Base64.encode(writer.bytes)
    return Self.prefix
      + String(
        base64.compactMap { character -> Character? in
          switch character {
          case "+": "-"
          case "/": "_"
          case "=": nil
          default: character
          }
        }
      )
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
    self.secret = secret
    self.pin = pin
    self.grant = grant
    self.library = library
    self.paletteName = paletteName
  }

  /// What a node's core needs of it.
  var invitation: Invitation {
    Invitation(addresses: addresses, pin: pin, code: secret, grant: grant, library: library)
  }

  /// What joining grants, for people.
  package var description: String {
    guard grant.palette != nil else { return "\(grant.role.rawValue) of the whole library" }
    return
      "\(grant.role.rawValue) of \(paletteName.map { "'\(SafeText.words($0))'" } ?? "one palette")"
  }

  /// Reads a code; space around it, and the page's address before it, do not matter.
  package init(_ text: String) throws(APIError) {
    let word = text.trimmed.split(separator: "#").last.map(String.init) ?? ""
    guard word.hasPrefix(Self.prefix), let code = Self.decode(word.dropFirst(Self.prefix.count))
    else {
      throw APIError(
        code: "bad-value",
        message: "this is no join code",
        hint: "'hued share' on the other machine prints one; it begins with \(Self.prefix)"
      )
    }
    self = code
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

  private static func decode(_ text: Substring) -> JoinCode? {
    var base64 = String(
      text.map { character -> Character in
        switch character {
        case "-": "+"
        case "_": "/"
        default: character
        }
      }
    )
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    guard let bytes = Base64.decode(base64) else { return nil }
    return try? bytes.withUnsafeBytes { buffer throws(CBORError) in
      var reader = CBORReader(buffer)
      guard try reader.readArray() == 7 else { throw .unexpectedType }
      let count = try reader.readArray()
      guard 1...addressLimit ~= count else { throw .unexpectedType }
      var addresses: [String] = []
      for _ in 0..<count { addresses.append(try reader.readText()) }
      let secret = [UInt8](try reader.readBytes())
      let pin = [UInt8](try reader.readBytes())
      guard let role = Role(rawValue: try reader.readText()) else { throw .unexpectedType }
      var palette: PaletteID?
      if reader.isNull {
        try reader.readNull()
      } else {
        palette = PaletteID(try reader.readRecordID())
      }
      let library = try reader.readRecordID()
      var name: String?
      if reader.isNull { try reader.readNull() } else { name = try reader.readText() }
      guard reader.isAtEnd, secret.count == 32, pin.isEmpty || pin.count == 32
      else { throw .unexpectedType }
      return JoinCode(
        addresses: addresses,
        secret: secret,
        pin: pin,
        grant: Grant(role, on: palette),
        library: library,
        paletteName: name
      )
    }
  }
}
