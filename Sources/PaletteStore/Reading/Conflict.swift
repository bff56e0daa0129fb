public import PaletteMerge
public import PaletteModel

/// A register with several different values that were written concurrently.
public struct Conflict: Sendable {
  /// One of the values, by its newest author.
  public struct Choice: Sendable {
    /// The value.
    public let value: RegisterValue
    /// The change that wrote it.
    public let dot: Dot
    /// The time of that change, by its author's clock.
    public let stamp: Stamp
  }

  /// The record.
  public let record: RecordID
  /// The register.
  public let register: Register
  /// The different values, the one that is shown first.
  public let choices: [Choice]
  /// The registers that can be in conflict: places resolve silently.
  package static let registers = Register.known.filter { $0 != .place }

  /// All values that were live, of which some may be equal.
  let seen: SeenValues

  /// Reads the live values of a register; nil when they are one value.
  package init?(
    _ register: Register,
    of record: RecordID,
    among values: [(value: LiveValue, stamp: Stamp)]
  ) {
    let newestFirst = values.filter { $0.value.register == register }.sorted { left, right in
      (left.stamp, left.value.dot) > (right.stamp, right.value.dot)
    }
    var known: Set<RegisterValue> = []
    choices = newestFirst.filter { known.insert($0.value.value).inserted }.map { value, stamp in
      Choice(value: value.value, dot: value.dot, stamp: stamp)
    }
    guard choices.count > 1, Self.registers.contains(register),
      let seen = SeenValues(newestFirst.map(\.value.dot))
    else { return nil }
    self.seen = seen
    self.record = record
    self.register = register
  }

  /// The edit that settles it with a value: what is written meanwhile stays beside that.
  func settling(with value: RegisterValue) -> Edit {
    .set(record, [register: value]).seeing(seen)
  }
}

extension PaletteReader {
  /// The conflicts of a palette, each with what its record is called: its own name first, then its
  /// colors in order.
  package func listedConflicts(
    of palette: PaletteID
  ) throws(StoreError) -> [(conflict: Conflict, name: String?)] {
    let registers = try conflicts(of: palette)
    guard !registers.isEmpty else { return [] }
    let records: [(id: RecordID, name: String?)] =
      [(palette.record, try summary(of: palette)?.name)]
      + (try colors(of: palette).map { ($0.color.id, $0.color.name) })
    var found: [(conflict: Conflict, name: String?)] = []
    for record in records {
      guard let registers = registers[record.id] else { continue }
      let values = try liveValues(of: record.id, in: palette)
      for register in registers {
        if let conflict = Conflict(register, of: record.id, among: values) {
          found.append((conflict, record.name))
        }
      }
    }
    return found
  }
}
