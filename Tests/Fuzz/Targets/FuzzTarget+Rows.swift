import PaletteMerge
import PaletteModel

extension FuzzTarget {
  static let rows = FuzzTarget(
    name: "rows",
    summary: "changes of two palettes in columns",
    lengthLimit: 2048,
    seeds: {
      let changes = try Examples.state().changes
      return try [(1, 0), (4, 0), (3, 3), (2, 5), (7, 1)].map { counts in
        var packer = RowPacker()
        for bytes in changes.prefix(counts.0) + changes.prefix(counts.1) {
          if packer.rows.count == counts.0 { packer.beginPalette() }
          let dot = try Change(decoding: bytes, in: Examples.palette).dot
          try bytes.withUnsafeBytes { try packer.add($0, dot) }
        }
        let rows = packer.removeRows()
        let columns = [rows.shapes, rows.numbers, rows.stamps, rows.places, rows.texts]
        return [UInt8(counts.0 | counts.1 << 4)] + .joining(columns) + [255] + rows.plain
      }
    },
    check: { bytes in
      guard let counts = bytes.first else { return }
      var columns = Array(bytes.dropFirst()).chunks.makeIterator()
      var rows = PackedRows()
      rows.shapes = columns.next() ?? []
      rows.numbers = columns.next() ?? []
      rows.stamps = columns.next() ?? []
      rows.places = columns.next() ?? []
      rows.texts = columns.next() ?? []
      rows.plain = columns.next() ?? []
      let palettes = [(Examples.palette, counts & 15), (PaletteID(Examples.record), counts >> 4)]
        .filter { $0.1 > 0 }.map { (id: $0.0, rows: Int($0.1)) }
      rows.count = palettes.reduce(0) { $0 + $1.rows }
      let packed = rows
      guard
        let arrived = try accepted(
          bytes,
          { () throws(MalformedPacking) in
            try packed.arrivals(by: Examples.nodes, in: palettes, byteLimit: 1 << 14)
          }
        )
      else { return }
      // Nobody checks again what unpacking let through.
      for (palette, arrived) in zip(palettes, arrived) {
        let changes = arrived.changes
        try ensure(changes.count == palette.rows, "rows are lost")
        for change in changes {
          let decoded = try Change(decoding: change.bytes.array, in: palette.id)
          try ensure(decoded == change.change, "not what its bytes say: \(decoded)")
        }
        if case .beginning(let beginning) = arrived.content {
          try check(beginning, changes, palette.id)
        }
      }
    }
  )

  /// What is known of changes that were not taken apart is what they say.
  private static func check(
    _ beginning: PaletteBeginning,
    _ changes: [ArrivedChange],
    _ palette: PaletteID
  ) throws {
    var state = PaletteState(palette)
    let staged = beginning.changes
    for (row, arrived) in zip(staged.rows, changes) {
      guard let change = arrived.change else { return try ensure(false, "a change is none") }
      try ensure(try state.merge(arrived.bytes.array), "something is there already")
      try ensure(row.stamp == change.stamp, "another stamp")
      try ensure(staged.records[Int(row.record)] == change.record, "another record")
      let hash = ChangeHash(of: arrived.bytes.array, in: palette)
      try ensure(row.hash == hash, "another hash")
      let values = staged.bytes.withUnsafeBytes { bytes in
        let values = row.values(in: bytes)
        return (0..<4).compactMap { index in values[index].map { [UInt8]($0) } }
      }
      try ensure(values == change.writes.map { Array($0.value.encoded) }, "other values")
    }
    try ensure(beginning.frontier == state.frontier, "another frontier")
    try ensure(
      Set(changes.map { $0.change?.record }).count == changes.count,
      "a record is made twice"
    )
  }
}
