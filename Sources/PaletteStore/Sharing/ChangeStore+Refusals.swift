public import PaletteModel

/// Own changes that a peer refused for good.
///
/// They are no longer pending there, and neither is what follows them under the same node id.
extension ChangeStore {
  /// Keeps that a peer refused an own change.
  public func note(
    refusalOf dot: Dot,
    in id: PaletteID,
    by url: String
  ) throws(StoreError) {
    guard let palette = try paletteRow(id),
      let stream = try StreamTable(of: palette, in: self)[dot.node]
    else { return }
    let known = try refusals()[url]?[stream.number]
    guard known.map({ dot.sequence < $0 }) ?? true else { return }
    try write { _ throws(StoreError) in
      let bytes = withUnsafeBytes(of: dot.sequence.bigEndian) { [UInt8]($0) }
      try connection.setMeta(MetaKey("\(Self.refusedKey).\(stream.number).\(url)"), bytes)
    }
  }

  /// Forgets what a peer refused: it is asked again.
  public func forgetRefusals(by url: String) throws(StoreError) {
    guard let refused = try refusals()[url] else { return }
    try write { _ throws(StoreError) in
      let delete = try connection.prepare("DELETE FROM meta WHERE key = ?1")
      for number in refused.keys {
        try delete.bind("\(Self.refusedKey).\(number).\(url)", at: 1)
        try delete.run()
      }
    }
  }

  /// How many own changes a peer refused, with those that follow them.
  public func refusedCount(by url: String) throws(StoreError) -> Int {
    guard let refused = try refusals()[url] else { return 0 }
    var count = 0
    let select = try connection.prepare("SELECT held FROM stream WHERE id = ?1")
    for (number, sequence) in refused {
      try select.bind(number, at: 1)
      let held = try select.row { $0.int64(0) } ?? 0
      count += max(0, Int(held) - Int(sequence) + 1)
    }
    return count
  }

  /// For each peer and stream, the first change that was refused.
  func refusals() throws(StoreError) -> [String: [Int64: UInt32]] {
    var refusals: [String: [Int64: UInt32]] = [:]
    // The character after the dot bounds the range.
    let select = try connection.prepare("SELECT key, value FROM meta WHERE key > ?1 AND key < ?2")
    try select.bind("\(Self.refusedKey).", at: 1)
    try select.bind("\(Self.refusedKey)/", at: 2)
    try select.rows { row in
      let parts = row.text(0).split(separator: ".", maxSplits: 2)
      guard parts.count == 3, let number = Int64(parts[1]) else { return }
      let sequence = row.bytes(1).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      refusals[String(parts[2]), default: [:]][number] = sequence
    }
    return refusals
  }

  private static let refusedKey = "refused"
}
