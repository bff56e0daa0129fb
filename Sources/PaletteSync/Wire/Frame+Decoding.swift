import PaletteMerge
import PaletteModel

/// Bytes that are no frame of the protocol.
public struct MalformedFrame: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failure, as a sentence for people.
  public let description: String
}

extension Frame {
  /// Reads a frame.
  ///
  /// - Throws: `MalformedFrame` when the bytes are not the one encoding of a frame.
  public init(decoding bytes: [UInt8]) throws(MalformedFrame) {
    guard bytes.count <= SyncProtocol.frameBytes else {
      throw MalformedFrame(description: "a frame may have \(SyncProtocol.frameBytes) bytes")
    }
    do {
      self = try CBORReader.readAll(of: bytes) { reader throws(CBORError) in
        try reader.readFrame()
      }
    } catch {
      throw MalformedFrame(description: "not a frame: \(error)")
    }
  }
}

extension CBORReader {
  fileprivate mutating func readFrame() throws(CBORError) -> Frame {
    let count = try readArray()
    let type = try readUnsigned()
    if type == 23, count == 6 { return try readPacked() }
    if type == 24, count == 4 { return try readPackedChanges() }
    if type == 25, count == 3 { return .challenge(try readChallenge()) }
    if type == 26, count == 3 { return .proof(try readProof()) }
    if type == 27, count == 2 { return try readBindings() }
    if type == 28, count == 2 {
      return .giveBack(try readOptionalRecordID().map { PaletteID($0) })
    }
    if type == 29, count == 2 { return try readLacking() }
    if type == 30, count == 4 { return try readWhole() }
    if type == 31, count == 2 { return try readAcks() }
    let items = [9, 8, 2, 1, 1, 3, 5, 4, 4, 2, 5, 1, 6, 1, 2, 1, 0, 3, 3, 0, 4, 5]
    guard type < items.count, count == items[Int(type)] + 1 else { throw .unexpectedType }
    switch type {
    case 0: return .hello(try readHello())
    case 1: return .welcome(try readWelcome())
    case 2: return .refuse(code: try readText(), reason: try readText())
    case 3: return .summary(try readDigest())
    case 4: return .buckets(try readDigests())
    case 5: return try readPalettes()
    case 6:
      return .frontier(
        try readPalette(),
        try readFrontier(),
        try readDigest(),
        asks: try readBool(),
        isLast: try readBool()
      )
    case 7: return try readChanges()
    case 8:
      return .snapshot(
        try readPalette(),
        index: try readUnsigned(),
        isLast: try readBool(),
        [UInt8](try readBytes())
      )
    case 9: return .ack(try readPalette(), try readFrontier())
    case 10:
      let palette = try readPalette()
      let dot = Dot(NodeID(try readUnsigned()), try readSequence())
      return .nack(palette, dot, code: try readText(), reason: try readText())
    case 11: return .credit(try readUnsigned())
    case 12:
      return .presence(try readPresence())
    case 13: return .ping(try readUnsigned())
    case 14: return .pong(try readUnsigned(), try readUnsigned())
    case 15: return .goaway(retryAfterMilliseconds: try readUnsigned())
    case 16: return .bye
    case 17: return try readLinksOf()
    case 18: return try readLinks()
    case 20:
      return .historyOf(
        try readPalette(),
        NodeID(try readUnsigned()),
        first: try readSequence(),
        last: try readSequence()
      )
    case 21: return .history(try readHistory())
    default: throw .unexpectedType
    }
  }

  private mutating func readHistory() throws(CBORError) -> OldHistory {
    let palette = try readPalette()
    let node = NodeID(try readUnsigned())
    let last = try readSequence()
    var since: UInt64?
    if isNull { try readNull() } else { since = try readUnsigned() }
    var changes: [[UInt8]] = []
    for _ in 0..<(try readArray()) { changes.append([UInt8](try readBytes())) }
    return OldHistory(
      palette: palette,
      node: node,
      last: last,
      sinceMilliseconds: since,
      changes: changes
    )
  }

  private mutating func readPresence() throws(CBORError) -> Presence {
    let who = Presence.Who(node: NodeID(try readUnsigned()), session: try readUnsigned())
    let name = try readText()
    guard name.utf8.count <= Presence.nameBytes else { throw .unexpectedType }
    return Presence(
      who: who,
      name: name,
      milliseconds: try readUnsigned(),
      palette: try readOptionalRecordID().map(PaletteID.init),
      selection: try readOptionalRecordID()
    )
  }

  private mutating func readHello() throws(CBORError) -> Hello {
    var versions: [UInt64] = []
    for _ in 0..<(try readArray()) { versions.append(try readUnsigned()) }
    var hello = Hello(
      versions: versions,
      features: try readFeatures(),
      node: NodeID(try readUnsigned()),
      library: try readRecordID(),
      name: try readName(),
      milliseconds: try readUnsigned(),
      secret: [UInt8](try readBytes()),
      code: [UInt8](try readBytes())
    )
    let count = try readArray()
    guard count <= Hello.otherNodesLimit else { throw .unexpectedType }
    for _ in 0..<count { hello.otherNodes.append(NodeID(try readUnsigned())) }
    return hello
  }

  private mutating func readName() throws(CBORError) -> String {
    let name = try readText()
    guard name.utf8.count <= Hello.nameBytes else { throw .unexpectedType }
    return name
  }

  private mutating func readChallenge() throws(CBORError) -> Challenge {
    let challenge = Challenge(
      secretID: [UInt8](try readBytes()),
      nonce: [UInt8](try readBytes())
    )
    guard challenge.secretID.count == Challenge.idBytes,
      challenge.nonce.count == Challenge.nonceBytes
    else { throw .unexpectedType }
    return challenge
  }

  private mutating func readProof() throws(CBORError) -> Proof {
    let proof = Proof(nonce: [UInt8](try readBytes()), code: [UInt8](try readBytes()))
    guard proof.nonce.count == Challenge.nonceBytes, proof.code.count == Challenge.codeBytes else {
      throw .unexpectedType
    }
    return proof
  }

  private mutating func readBindings() throws(CBORError) -> Frame {
    var bindings: [Frame.Binding] = []
    for _ in 0..<(try readArray()) {
      guard try readArray() == 2 else { throw .unexpectedType }
      let node = NodeID(try readUnsigned())
      bindings.append(Frame.Binding(node: node, library: try readRecordID()))
    }
    return .bindings(bindings)
  }

  private mutating func readFeatures() throws(CBORError) -> [String] {
    var features: [String] = []
    for _ in 0..<(try readArray()) { features.append(try readText()) }
    return features
  }

  private mutating func readPacked() throws(CBORError) -> Frame {
    let palette = try readPalette()
    return .packed(
      palette,
      PackedPart(
        index: try readUnsigned(),
        isLast: try readBool(),
        plain: [UInt8](try readBytes()),
        squeezed: [UInt8](try readBytes())
      )
    )
  }

  private mutating func readPackedChanges() throws(CBORError) -> Frame {
    let palette = try readPalette()
    return .packedChanges(
      palette,
      PackedChanges(plain: [UInt8](try readBytes()), squeezed: [UInt8](try readBytes()))
    )
  }

  private mutating func readLacking() throws(CBORError) -> Frame {
    let count = try readArray()
    guard (1...SyncProtocol.lackingEntries).contains(count) else { throw .unexpectedType }
    var palettes: [PaletteID] = []
    for _ in 0..<count { palettes.append(try readPalette(behind: palettes.last)) }
    return .lacking(palettes)
  }

  private mutating func readWhole() throws(CBORError) -> Frame {
    var entries: [WholePalettes.Entry] = []
    for _ in 0..<(try readArray()) {
      guard try readArray() == 3 else { throw .unexpectedType }
      entries.append(
        WholePalettes.Entry(
          palette: try readPalette(behind: entries.last?.palette),
          digest: try readDigest(),
          rows: Int(try readSequence())
        )
      )
    }
    guard !entries.isEmpty else { throw .unexpectedType }
    let rows = PackedChanges(plain: [UInt8](try readBytes()), squeezed: [UInt8](try readBytes()))
    return .whole(WholePalettes(entries: entries, rows: rows))
  }

  /// A palette of a list in which each stands once, by their ids.
  private mutating func readPalette(behind last: PaletteID?) throws(CBORError) -> PaletteID {
    let palette = try readPalette()
    if let last, last >= palette { throw .notDeterministic }
    return palette
  }

  private mutating func readAcks() throws(CBORError) -> Frame {
    var acks: [Frame.Held] = []
    for _ in 0..<(try readArray()) {
      guard try readArray() == 2 else { throw .unexpectedType }
      acks.append(Frame.Held(palette: try readPalette(), frontier: try readFrontier()))
    }
    guard !acks.isEmpty else { throw .unexpectedType }
    return .acks(acks)
  }

  private mutating func readWelcome() throws(CBORError) -> Welcome {
    let version = try readUnsigned()
    let node = NodeID(try readUnsigned())
    let library = try readRecordID()
    let name = try readName()
    let count = try readArray()
    guard count <= Welcome.grantLimit else { throw .unexpectedType }
    var grants: [Grant] = []
    for _ in 0..<count { grants.append(try readGrant()) }
    return Welcome(
      version: version,
      node: node,
      library: library,
      name: name,
      grants: grants,
      frameBytes: try readUnsigned(),
      milliseconds: try readUnsigned(),
      features: try readFeatures()
    )
  }

  private mutating func readGrant() throws(CBORError) -> Grant {
    guard try readArray() == 3, let role = Role(rawValue: try readText()) else {
      throw .unexpectedType
    }
    let palette = try readOptionalRecordID().map { PaletteID($0) }
    guard isNull else {
      guard let end = Int64(exactly: try readUnsigned()) else { throw .unexpectedType }
      return Grant(role, on: palette, expiresMilliseconds: end)
    }
    try readNull()
    return Grant(role, on: palette)
  }

  private mutating func readDigests() throws(CBORError) -> [Digest] {
    guard try readArray() == SyncProtocol.buckets else { throw .unexpectedType }
    var digests: [Digest] = []
    for _ in 0..<SyncProtocol.buckets { digests.append(try readDigest()) }
    return digests
  }

  private mutating func readPalettes() throws(CBORError) -> Frame {
    let buckets = [UInt8](try readBytes())
    var entries: [Frame.Entry] = []
    for _ in 0..<(try readArray()) {
      guard try readArray() == 2 else { throw .unexpectedType }
      entries.append(Frame.Entry(palette: try readPalette(), digest: try readDigest()))
    }
    return .palettes(buckets: buckets, entries: entries, isLast: try readBool())
  }

  private mutating func readChanges() throws(CBORError) -> Frame {
    let palette = try readPalette()
    let node = NodeID(try readUnsigned())
    let first = try readSequence()
    var changes: [[UInt8]] = []
    for _ in 0..<(try readArray()) { changes.append([UInt8](try readBytes())) }
    return .changes(palette, node, first: first, changes)
  }

  private mutating func readLinksOf() throws(CBORError) -> Frame {
    let palette = try readPalette()
    let node = NodeID(try readUnsigned())
    var sequences: [UInt32] = []
    for _ in 0..<(try readArray()) { sequences.append(try readSequence()) }
    return .linksOf(palette, node, sequences)
  }

  private mutating func readLinks() throws(CBORError) -> Frame {
    let palette = try readPalette()
    let node = NodeID(try readUnsigned())
    var links: [Frame.Link] = []
    for _ in 0..<(try readArray()) {
      guard try readArray() == 2 else { throw .unexpectedType }
      let sequence = try readSequence()
      if isNull {
        try readNull()
        links.append(Frame.Link(sequence: sequence, link: nil))
      } else {
        links.append(Frame.Link(sequence: sequence, link: try readEightBytes()))
      }
    }
    return .links(palette, node, links)
  }

  mutating func readFrontier() throws(CBORError) -> Frontier {
    var frontier: Frontier = [:]
    var previous: NodeID?
    for _ in 0..<(try readMap()) {
      let node = NodeID(try readUnsigned())
      if let previous, previous >= node { throw .notDeterministic }
      previous = node
      guard try readArray() == 2 else { throw .unexpectedType }
      frontier[node] = StreamHead(sequence: try readSequence(), link: try readEightBytes())
    }
    return frontier
  }

  private mutating func readPalette() throws(CBORError) -> PaletteID {
    PaletteID(try readRecordID())
  }

  private mutating func readOptionalRecordID() throws(CBORError) -> RecordID? {
    guard isNull else { return try readRecordID() }
    try readNull()
    return nil
  }

  private mutating func readDigest() throws(CBORError) -> Digest {
    guard let digest = Digest(bytes: try readBytes()) else { throw .unexpectedType }
    return digest
  }
}
