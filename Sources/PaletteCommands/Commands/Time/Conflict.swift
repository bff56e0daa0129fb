internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// A register with several different values that were written concurrently.
struct Conflict {
  /// One of the values, by its newest author.
  struct Choice {
    let value: RegisterValue
    let dot: Dot
    let stamp: Stamp
  }

  /// The record.
  let record: RecordID
  /// The register.
  let register: Register
  /// The different values, the one that is shown first.
  let choices: [Choice]

  /// Reads the live values of a register; nil when they are one value.
  init?(
    _ register: Register,
    of record: RecordID,
    among values: [(value: LiveValue, stamp: Stamp)]
  ) {
    let newestFirst = values.filter { $0.value.register == register }.sorted { left, right in
      (left.stamp, left.value.dot) > (right.stamp, right.value.dot)
    }
    var seen: Set<RegisterValue> = []
    choices = newestFirst.filter { seen.insert($0.value.value).inserted }.map { value, stamp in
      Choice(value: value.value, dot: value.dot, stamp: stamp)
    }
    guard choices.count > 1, register.isKnown, register != .place else { return nil }
    self.record = record
    self.register = register
  }
}

extension ChangeStore {
  /// The conflicts of a palette, each with what its record is called: its own name first, then its
  /// colors in order.
  func listedConflicts(of palette: PaletteID) throws -> [(conflict: Conflict, name: String?)] {
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
