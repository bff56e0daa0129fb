public import PaletteModel

/// What an author says an action was, where its changes alone do not tell.
///
/// It travels as a register of a record of the author's own, which no list shows, in a change that carries
/// the stamp of the action. Readers believe it only where it fits what they counted: see `ActionTally`.
/// It holds no sentence, so that no author chooses the words that others read.
public enum ActionClaim: Hashable, Sendable {
  /// The colors were sorted.
  case sort(SortKey)
  /// A palette file, and so many others, became the palette.
  case `import`(file: String, others: Int)
  /// An action was undone; the node is left out where it is the claim's own.
  case undo(Stamp, NodeID?)
  /// An undone action was made again.
  case redo(Stamp, NodeID?)
  /// The palette became what it was at a time, in milliseconds since 1970.
  case revertToTime(Int64)
  /// The palette became what it was right after an action.
  case revertToAction(Stamp, NodeID?)

  /// The longest name of a file that is told.
  private static let fileBytes = 255

  /// Says that files were imported; nil where there is none.
  public static func importing(_ files: [String]) -> ActionClaim? {
    guard let first = files.first, let name = TextRule.name.cleaned(String(first.prefix(100))),
      name.utf8.count <= fileBytes
    else { return nil }
    return .import(file: name, others: files.count - 1)
  }

  /// Says that an action was undone, by a claim of `node`.
  public static func undo(_ action: ActionID, by node: NodeID) -> ActionClaim {
    .undo(action.stamp, action.node == node ? nil : action.node)
  }

  /// Says that an action was made again, by a claim of `node`.
  public static func redo(_ action: ActionID, by node: NodeID) -> ActionClaim {
    .redo(action.stamp, action.node == node ? nil : action.node)
  }

  /// The action that a claim of `node` speaks of; nil for one that speaks of none.
  public func subject(by node: NodeID) -> ActionID? {
    switch self {
    case .sort, .import, .revertToTime: nil
    case .undo(let stamp, let other), .redo(let stamp, let other),
      .revertToAction(let stamp, let other):
      ActionID(stamp, by: other ?? node)
    }
  }
}

/// The key by which colors are sorted.
public enum SortKey: String, CaseIterable, Sendable {
  /// OKLCH hue.
  case hue
  /// OKLCH lightness.
  case lightness
  /// OKLCH chroma.
  case chroma
  /// The name.
  case name
}

extension Register {
  /// What an author says an action was; no color has it, and a version that does not know it keeps it.
  public static let action = Register(rawValue: 4)
}

extension RecordID {
  /// The last eight bytes of all records that hold claims, a random number.
  private static let actionMark: UInt64 = 0x5D3F_81E7_06B2_9C4A

  /// The record in which whoever makes changes under a node id says what actions were.
  public static func actions(of node: NodeID) -> RecordID {
    RecordID(high: node.rawValue, low: actionMark)
  }

  fileprivate var holdsClaims: Bool { low == Self.actionMark }
}

extension Change {
  /// Whether the change does nothing but say what its action was, as long as the record is no color all
  /// the same.
  public var describesAction: Bool {
    record.holdsClaims && writes.count == 1 && writes[0].register == .action
  }

  /// What the change says its action was; nil where it says nothing that this version understands.
  public var actionClaim: ActionClaim? {
    describesAction ? ActionClaim(writes[0].value) : nil
  }
}

extension RegisterValue {
  /// The value of a register that says what an action was.
  public init(claim: ActionClaim) {
    var writer = CBORWriter()
    switch claim {
    case .sort(let key):
      writer.write(array: 2)
      writer.write(unsigned: 1)
      writer.write(unsigned: UInt64(SortKey.allCases.firstIndex(of: key) ?? 0))
    case .import(let file, let others):
      writer.write(array: 3)
      writer.write(unsigned: 2)
      writer.write(text: file)
      writer.write(unsigned: UInt64(max(0, others)))
    case .undo(let stamp, let node): writer.write(3, stamp, node)
    case .redo(let stamp, let node): writer.write(4, stamp, node)
    case .revertToTime(let milliseconds):
      writer.write(array: 2)
      writer.write(unsigned: 5)
      writer.write(unsigned: UInt64(max(0, milliseconds)))
    case .revertToAction(let stamp, let node): writer.write(6, stamp, node)
    }
    self.init(encoded: writer.bytes)
  }
}

extension ActionClaim {
  /// Reads what another node may have written: nil for anything but one of the claims above.
  fileprivate init?(_ value: RegisterValue) {
    let claim = value.withEncoded { bytes -> ActionClaim? in
      var reader = CBORReader(bytes)
      let claim = try? reader.readActionClaim(atMost: Self.fileBytes)
      return reader.isAtEnd ? claim : nil
    }
    guard let claim else { return nil }
    self = claim
  }
}

extension CBORWriter {
  fileprivate mutating func write(_ number: UInt64, _ stamp: Stamp, _ node: NodeID?) {
    write(array: node == nil ? 2 : 3)
    write(unsigned: number)
    write(unsigned: stamp.rawValue)
    if let node { write(unsigned: node.rawValue) }
  }
}

extension CBORReader {
  fileprivate mutating func readActionClaim(
    atMost fileBytes: Int
  ) throws(CBORError) -> ActionClaim? {
    let count = try readArray()
    let number = try readUnsigned()
    switch (number, count) {
    case (1, 2):
      guard let index = Int(exactly: try readUnsigned()), SortKey.allCases.indices.contains(index)
      else { return nil }
      return .sort(SortKey.allCases[index])
    case (2, 3):
      let file = try readText()
      let others = Int(clamping: try readUnsigned())
      guard file.utf8.count <= fileBytes, (try? TextRule.name.accepted(file)) == file else {
        return nil
      }
      return .import(file: file, others: others)
    case (5, 2): return .revertToTime(Int64(clamping: try readUnsigned()))
    case (3, 2...3), (4, 2...3), (6, 2...3):
      let stamp = Stamp(rawValue: try readUnsigned())
      let node = count == 3 ? NodeID(try readUnsigned()) : nil
      return number == 3
        ? .undo(stamp, node)
        : number == 4
          ? .redo(stamp, node) : .revertToAction(stamp, node)
    default: return nil
    }
  }
}
