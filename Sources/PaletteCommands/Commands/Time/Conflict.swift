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
  /// The conflicts of a palette: its own name first, then its colors in order.
  func listedConflicts(of palette: PaletteID) throws -> [Conflict] {
    let registers = try conflicts(of: palette)
    guard !registers.isEmpty else { return [] }
    let records = [palette.record] + (try colors(of: palette).map(\.color.id))
    var found: [Conflict] = []
    for record in records {
      guard let registers = registers[record] else { continue }
      let values = try liveValues(of: record, in: palette)
      found += registers.compactMap { Conflict($0, of: record, among: values) }
    }
    return found
  }
}
