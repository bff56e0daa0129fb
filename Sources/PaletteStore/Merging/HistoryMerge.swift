import PaletteMerge
import PaletteModel

/// Takes old changes that were compacted away, or never came, into the log of a palette.
struct HistoryMerge {
  private let palette: PaletteWriter

  init(in palette: PaletteWriter) {
    self.palette = palette
  }

  /// Takes rows below the floors into the log.
  ///
  /// What they amount to is part of the state already, so neither state nor digest changes; each must
  /// fit to its neighbours by their links.
  func merge(_ parts: [NodeID: HistoryPart]) throws(StoreError) -> Refusal? {
    palette.endCompaction()
    // Old rows come before everything that arrived, and in the order of each author.
    var arrival = try lowestArrival() - Int64(parts.values.reduce(0) { $0 + $1.changes.count })
    var covered: Set<Dot> = []
    for (node, part) in parts.sorted(by: { $0.key < $1.key }) {
      guard var stream = palette.streams[node] else { continue }
      var rows: [(change: Change, bytes: [UInt8])] = []
      for bytes in part.changes {
        do throws(MalformedChange) {
          rows.append((try Change(decoding: bytes, in: palette.row.id), bytes))
        } catch {
          return .malformed(error)
        }
      }
      if let refusal = try check(rows.map { $0 }, of: stream) { return refusal }
      for entry in rows where entry.change.dot.sequence <= stream.floor {
        try replace(entry.change.dot, stream, arrival, entry.bytes)
        stream.insert(entry.change.stamp)
        arrival += 1
        for seen in entry.change.covers {
          guard let proof = try palette.proof(of: seen.dot), seen.fits(proof) else { continue }
          covered.insert(seen.dot)
        }
      }
      for entry in rows.reversed() where entry.change.dot.sequence == stream.floor {
        stream.floor -= 1
      }
      palette.streams.update(stream)
    }
    // Since when they are covered is known now.
    try CoveredBefore.remove(covered, of: palette.row, palette.streams, in: palette.database)
    try palette.database.setMeta(.fetched(palette.row), Array("\(palette.nowMilliseconds)".utf8))
    updateSince(parts)
    return nil
  }

  /// Compares rows with what is held, and with each other.
  private func check(
    _ rows: [(change: Change, bytes: [UInt8])],
    of stream: StreamRow
  ) throws(StoreError) -> Refusal? {
    // The link of the newest change is kept; each row in between names the one before it.
    var following: (sequence: UInt64, previous: UInt64)? = (UInt64(stream.held) + 1, stream.link)
    if stream.floor < stream.held {
      let dot = Dot(stream.node, stream.floor + 1)
      following = try palette.reader.changeBytes(dot, palette.streams).map {
        bytes throws(StoreError) in
        (UInt64(dot.sequence), try ChangeRow.decode(bytes, in: palette.row.id).previous)
      }
    }
    for entry in rows.reversed() {
      let dot = entry.change.dot
      let sequence = UInt64(dot.sequence)
      guard dot.node == stream.node else {
        return .malformed(MalformedChange("the change is by another author"))
      }
      if let following {
        guard sequence < following.sequence else { return .fork }
        let link = ChangeHash(of: entry.bytes, in: palette.row.id).link
        if sequence + 1 == following.sequence, link != following.previous { return .fork }
      }
      if let held = try palette.reader.changeBytes(dot, palette.streams), held != entry.bytes {
        return .equivocation
      }
      following = (sequence, entry.change.previous)
    }
    return nil
  }

  /// Records how far back the past is known now.
  private func updateSince(_ parts: [NodeID: HistoryPart]) {
    guard let own = palette.row.sinceMilliseconds else { return }
    if palette.streams.all.allSatisfy({ $0.floor == 0 }) {
      palette.draft.setPast(sinceMilliseconds: nil)
      return
    }
    let isAsked = palette.streams.all.allSatisfy { $0.floor == 0 || parts[$0.node] != nil }
    let known = parts.values.compactMap(\.sinceMilliseconds).max()
    if isAsked, let known { palette.draft.setPast(sinceMilliseconds: min(own, known)) }
  }

  private func lowestArrival() throws(StoreError) -> Int64 {
    var lowest: Int64 = 0
    let select = try palette.database.prepare(
      "SELECT min(arrival) FROM change WHERE id BETWEEN ?1 AND ?2"
    )
    for stream in palette.streams.all {
      try select.bind(stream.changeNumber(0), at: 1)
      try select.bind(stream.changeNumber(.max), at: 2)
      lowest = min(lowest, try select.row { $0.isNull(0) ? 0 : $0.int64(0) } ?? 0)
    }
    return lowest
  }

  private func replace(
    _ dot: Dot,
    _ stream: StreamRow,
    _ arrival: Int64,
    _ bytes: [UInt8]
  ) throws(StoreError) {
    let insert = try palette.database.prepare(
      "INSERT OR REPLACE INTO change(id, arrival, bytes) VALUES(?1, ?2, ?3)"
    )
    try insert.bind(stream.changeNumber(dot.sequence), at: 1)
    try insert.bind(arrival, at: 2)
    try insert.bind(Array(bytes[ChangeRow.headCount(of: dot)...]), at: 3)
    try insert.run()
  }

  /// The time at which rows below the floors came last, in milliseconds since 1970; nil if none
  /// have.
  ///
  /// They arrived before all others, as far as their numbers say.
  static func milliseconds(of palette: PaletteRow, in database: StoreDatabase) throws(StoreError)
    -> Int64?
  {
    try database.meta(.fetched(palette)).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
  }
}

extension MetaKey {
  fileprivate static func fetched(_ palette: PaletteRow) -> MetaKey {
    MetaKey("fetched.\(palette.number)")
  }
}
