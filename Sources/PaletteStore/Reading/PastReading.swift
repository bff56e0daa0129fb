public import PaletteMerge
public import PaletteModel

/// Finds the values that were live after an action, from one look at every change.
///
/// Of a change only its record, registers and dots are read; values are read of those alone that were
/// live. Merging is a union of what changes say, so no order matters.
struct PastReading {
  /// A value that a change wrote.
  private struct Value {
    let number: UInt64
    let record: RecordID
    let register: Register
    /// The first four bytes of the hash of its change.
    let proof: UInt32
  }

  /// The mark of a change on another: on a register's value, or that it is covered.
  private struct Mark {
    let number: UInt64
    let record: RecordID
    let register: Register?
    /// The change that is meant; nil for one of the author's own.
    let proof: UInt32?
    /// True if it was said after the time.
    let isLater: Bool
  }

  private let palette: PaletteRow
  private let streams: StreamTable
  /// The last action that counts.
  private let last: ActionID
  private var values: [Value] = []
  private var marks: [Mark] = []
  private var newest: [NodeID: UInt32] = [:]
  private var highestWrite: [NodeID: UInt32] = [:]
  private var dropped: [NodeID: UInt32] = [:]
  /// The marks of drops on others.
  private var drops: Set<SeenDot> = []

  /// Looks at every change of a palette that is held.
  init(
    of palette: PaletteRow,
    after last: ActionID,
    in reader: PaletteReader
  ) throws(StoreError) {
    self.palette = palette
    self.last = last
    streams = try reader.streams(of: palette)
    let select = try reader.box(.changeBytes)
    for stream in streams.all.sorted(by: { $0.number < $1.number }) {
      try select.statement.bind(stream.changeNumber(0), at: 1)
      try select.statement.bind(stream.changeNumber(.max), at: 2)
      var failure: CBORError?
      try select.statement.rows { row throws(StoreError) in
        let number = row.int64(0)
        do throws(CBORError) {
          try row.withBytes(1) { (bytes) throws(CBORError) in try add(bytes, number, stream.node) }
        } catch {
          failure = error
        }
      }
      if let failure {
        throw StoreError(code: .corrupt, message: "a stored change is damaged: \(failure)")
      }
    }
    values.sort { $0.number < $1.number }
    marks.sort { $0.number < $1.number }
  }

  private mutating func add(
    _ row: UnsafeRawBufferPointer,
    _ number: Int64,
    _ node: NodeID
  ) throws(CBORError) {
    var reader = CBORReader(row)
    let isLater = ActionID(Stamp(rawValue: try reader.readUnsigned()), by: node) > last
    // What later changes said matters only where changes are missing.
    if isLater, palette.sinceMilliseconds == nil { return }
    var registers: [4 of Register] = [4 of Register](repeating: .name)
    var count = 0
    var more: [Register] = []
    var said: [ChangeOutline.Mark] = []
    var only: ChangeOutline.Mark?
    let outline = try ChangeOutline(
      behindStamp: &reader,
      written: { register in
        if count < 4 { registers[count] = register } else { more.append(register) }
        count += 1
      },
      marked: { mark in
        // Most changes say one thing.
        if only == nil { only = mark } else { said.append(mark) }
      }
    )
    if let only { add(only, outline.record, isLater) }
    for mark in said { add(mark, outline.record, isLater) }
    guard !isLater else { return }
    let sequence = UInt32(truncatingIfNeeded: number)
    newest[node] = sequence
    if outline.kind.writesRegisters { highestWrite[node] = sequence }
    if outline.kind == .drop { dropped[node] = max(dropped[node] ?? 0, sequence) }
    guard count > 0 else { return }
    let proof = ChangeRow.withHead(of: Dot(node, sequence)) {
      ChangeHash(of: $0, row, in: palette.id).proof
    }
    for index in 0..<min(count, 4) {
      values.append(
        Value(
          number: UInt64(bitPattern: number),
          record: outline.record,
          register: registers[index],
          proof: proof
        )
      )
    }
    for register in more {
      values.append(
        Value(
          number: UInt64(bitPattern: number),
          record: outline.record,
          register: register,
          proof: proof
        )
      )
    }
  }

  private mutating func add(_ said: ChangeOutline.Mark, _ record: RecordID, _ isLater: Bool) {
    switch said {
    case .replaced(let seen, let register): add(seen, record, register, isLater)
    case .covered(let seen): add(seen, record, nil, isLater)
    case .dropped(let seen):
      if isLater { break }
      if seen.proof == nil { dropped.join([seen.dot]) } else { drops.insert(seen) }
    }
  }

  private mutating func add(
    _ seen: SeenDot,
    _ record: RecordID,
    _ register: Register?,
    _ isLater: Bool
  ) {
    // Of an author of whom nothing is held, nothing can be replaced.
    guard let number = streams.changeNumber(seen.dot) else { return }
    marks.append(
      Mark(
        number: UInt64(bitPattern: number),
        record: record,
        register: register,
        proof: seen.proof,
        isLater: isLater
      )
    )
  }

  /// The palette as it was.
  func state(in reader: PaletteReader) throws(StoreError) -> PaletteState {
    // What compacted changes said still holds: it was said before any time that can be asked for.
    let present = palette.sinceMilliseconds == nil ? nil : try reader.liveMarks(of: palette)
    let before = try CoveredBefore(of: palette, in: reader.database)
    var live: [PaletteState.LiveChange] = []
    var mark = marks.startIndex
    var index = values.startIndex
    while index < values.endIndex {
      let number = values[index].number
      while mark < marks.endIndex, marks[mark].number < number { mark += 1 }
      var end = mark
      while end < marks.endIndex, marks[end].number == number { end += 1 }
      let said = marks[mark..<end]
      let dot = try streams.dot(Int64(bitPattern: number))
      let record = values[index].record
      let proof = values[index].proof
      var registers: [Register] = []
      while index < values.endIndex, values[index].number == number {
        let register = values[index].register
        let value = ValueName(record: record, dot: dot, register: register)
        if !says(said, record, register, proof, present.map { !$0.values.contains(value) }) {
          registers.append(register)
        }
        index += 1
      }
      guard !registers.isEmpty else { continue }
      let covered = ValueName(record: record, dot: dot, register: nil)
      let isCovered =
        before.contains(Int64(bitPattern: number))
        || says(said, record, nil, proof, present.map { $0.covered.contains(covered) })
      guard let bytes = try reader.changeBytes(dot, streams) else { continue }
      live.append(
        PaletteState.LiveChange(
          change: try ChangeRow.decode(bytes, in: palette.id),
          bytes: bytes,
          registers: registers,
          isCovered: isCovered
        )
      )
    }
    return PaletteState(
      palette.id,
      live: live,
      frontier: try frontier(in: reader),
      highestWrite: highestWrite,
      dropped: try reached(in: reader)
    )
  }

  /// The reach of drops, as far as their claims about others hold.
  private func reached(in reader: PaletteReader) throws(StoreError) -> [NodeID: UInt32] {
    var reached = dropped
    for seen in drops where streams.holds(seen.dot) {
      let link = try reader.link(of: seen.dot, streams, in: palette.id)
      if link.map({ seen.fits(UInt32(truncatingIfNeeded: $0 >> 32)) }) ?? true {
        reached.join([seen.dot])
      }
    }
    return reached
  }

  /// Returns whether it was said by then of a value that it is replaced, or with no register that
  /// it is covered.
  ///
  /// - Parameters:
  ///   - said: What changes that are held say of the value's change.
  ///   - record: The value's record.
  ///   - register: The register.
  ///   - proof: The first four bytes of the hash of the value's change.
  ///   - isSoNow: Whether it is so now, by whoever said it; nil where no change is missing.
  /// - Returns: Whether it was said.
  private func says(
    _ said: ArraySlice<Mark>,
    _ record: RecordID,
    _ register: Register?,
    _ proof: UInt32,
    _ isSoNow: Bool?
  ) -> Bool {
    var isSaid = false
    for mark in said
    where mark.record == record && mark.register == register && mark.proof ?? proof == proof {
      if !mark.isLater { return true }
      isSaid = true
    }
    return isSoNow == true && !isSaid
  }

  private func frontier(in reader: PaletteReader) throws(StoreError) -> Frontier {
    var frontier: Frontier = [:]
    for (node, sequence) in newest {
      let dot = Dot(node, sequence)
      guard let bytes = try reader.changeBytes(dot, streams) else { continue }
      let link = ChangeHash(of: bytes, in: palette.id).link
      frontier[node] = StreamHead(sequence: sequence, link: link)
    }
    return frontier
  }
}

extension PaletteReader {
  /// The palette as the changes held with a stamp up to a time have it.
  ///
  /// - Returns: The state, or the time before which this library no longer knows the past.
  public func state(
    of id: PaletteID,
    atMilliseconds time: Int64
  ) throws(StoreError) -> PastState {
    // The last action that could have been made in that millisecond.
    let last = Stamp(milliseconds: time, counter: .max)
    return try state(of: id, after: ActionID(last, by: NodeID(.max)))
  }

  /// The palette as the changes held of all actions up to one have it.
  ///
  /// - Returns: The state, or the time before which this library no longer knows the past.
  public func state(of id: PaletteID, after action: ActionID) throws(StoreError) -> PastState {
    guard let palette = try paletteRow(id) else { return .known(PaletteState(id)) }
    if let since = palette.sinceMilliseconds, action.stamp.milliseconds < since {
      return .unknown(before: since)
    }
    let reading = try PastReading(of: palette, after: action, in: self)
    return .known(try reading.state(in: self))
  }
}

/// The answer to a question about the past.
public enum PastState: Sendable {
  /// The palette at that time.
  case known(PaletteState)
  /// History before this time, in milliseconds since 1970, was compacted away.
  case unknown(before: Int64)
}

extension PaletteState {
  /// The colors that were listed, in order.
  package var namedColors: [NamedColor] {
    listed.compactMap { id in
      guard let name = shown(.name, of: id)?.text, let color = shown(.color, of: id)?.color else {
        return nil
      }
      var named = NamedColor(id: id, name: name, color: color)
      for register in Register.optional {
        named[text: register] = shown(register, of: id)?.text ?? ""
      }
      return named
    }
  }
}
