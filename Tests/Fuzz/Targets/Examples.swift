import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport

/// Valid values of which seeds are made.
enum Examples {
  /// A color of whole bytes.
  static let color = Color(red8: 1, green8: 2, blue8: 3)
  static let palette = PaletteID(RecordID(high: 0x1111_2222_3333_4444, low: 0x8555_6666_7777_8888))
  static let record = RecordID(high: 0x1111_2222_3333_4445, low: 0x8555_6666_7777_8889)
  static let nodes = [NodeID(1), NodeID(0x1234_5678_9ABC_DEF0)]

  /// A palette with colors in several spaces, siblings, a delete, a drop and a restore.
  static func state() throws -> (state: PaletteState, changes: [[UInt8]]) {
    var state = PaletteState(palette)
    var other = PaletteState(palette)
    var changes: [[UInt8]] = []
    func author(_ edit: Edit, _ node: Int, _ state: inout PaletteState) throws {
      let stamp = Stamp(milliseconds: 1_700_000_000_000 + Int64(changes.count))
      changes.append(try state.author(edit, by: nodes[node], at: stamp))
    }
    try author(.add(palette.record, [.name: RegisterValue(text: "Sea")]), 0, &state)
    for (index, text) in ["tomato", "oklch(70% 0.15 250)", "hsl(none 50% 50% / 0.5)"].enumerated() {
      let record = RecordID(high: 7, low: UInt64(index))
      let values: KeyValuePairs<Register, RegisterValue> = [
        .name: RegisterValue(text: "n\(index)"),
        .color: RegisterValue(color: try Color(css: text)),
        .place: RegisterValue(placeBytes: [UInt8(64 * index + 1), 0]),
        .note: RegisterValue(text: "a\nb"),
      ]
      try author(.add(record, values), 0, &state)
    }
    for change in changes { try other.merge(change) }
    let first = RecordID(high: 7, low: 0)
    try author(.set(first, [.name: RegisterValue(text: "here")]), 0, &state)
    try author(.set(first, [.name: RegisterValue(text: "there")]), 1, &other)
    try author(.delete(RecordID(high: 7, low: 1)), 1, &other)
    try author(.set(first, [Register(rawValue: 40): RegisterValue(text: "new")]), 1, &other)
    try author(.drop(palette), 0, &state)
    try author(.restore(palette.record, [.name: RegisterValue(text: "Sea")]), 0, &state)
    for change in changes { try state.merge(change) }
    return (state, changes)
  }

  /// The palette's first changes as they go to a peer that lacks it.
  static func wholePalettes(changes count: Int = .max) throws -> WholePalettes {
    var state = PaletteState(palette)
    var rows: [OutgoingChange] = []
    for bytes in try Self.state().changes.prefix(count) {
      try state.merge(bytes)
      let dot = try Change(decoding: bytes, in: palette).dot
      rows.append(OutgoingChange(dot: dot, bytes: ChangeBytes(bytes)))
    }
    let entry = WholePalettes.Entry(palette: palette, digest: state.digest, rows: rows.count)
    var rest = rows[...]
    return WholePalettes(
      entries: [entry],
      rows: try PackedChanges(first: &rest, payloadBytes: 1 << 14)
    )
  }
}
