internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// The store as sessions read it.
struct StoreLibrary: SyncLibrary {
  let store: ChangeStore

  func palettes(in scope: Scope) throws(StoreError) -> [Frame.Entry] {
    switch scope {
    case .library:
      return try store.paletteDigests().map { Frame.Entry(palette: $0.palette, digest: $0.digest) }
    case .palettes(let palettes):
      var entries: [Frame.Entry] = []
      for palette in palettes.sorted() {
        let digest = try store.digest(of: palette)
        if digest != .zero { entries.append(Frame.Entry(palette: palette, digest: digest)) }
      }
      return entries
    }
  }

  func digest(in scope: Scope) throws(StoreError) -> Digest {
    guard scope == .library else { return try palettes(in: scope).digest }
    return try store.digest()
  }

  func bucketDigests(in scope: Scope) throws(StoreError) -> [Digest] {
    if scope == .library { return try store.bucketDigests() }
    return try palettes(in: scope).bucketDigests
  }

  func palettes(
    in scope: Scope,
    buckets: Set<UInt8>
  ) throws(StoreError) -> [Frame.Entry] {
    guard scope == .library else {
      return try palettes(in: scope).filter { buckets.contains($0.palette.bucket) }
    }
    return try store.paletteDigests(inBuckets: buckets.sorted())
      .map { Frame.Entry(palette: $0.palette, digest: $0.digest) }
  }

  func frontier(of palette: PaletteID) throws(StoreError) -> Frontier {
    try store.frontier(of: palette)
  }

  func digest(of palette: PaletteID) throws(StoreError) -> Digest { try store.digest(of: palette) }

  func link(of dot: Dot, in palette: PaletteID) throws(StoreError) -> UInt64? {
    try store.link(of: dot, in: palette)
  }

  func changes(
    of palette: PaletteID,
    after frontier: Frontier,
    byteLimit: Int
  ) throws(StoreError) -> [OutgoingChange]? {
    try store.nextChanges(of: palette, after: frontier, byteLimit: byteLimit)?.map {
      OutgoingChange(dot: $0.dot, bytes: $0.bytes)
    }
  }

  func outline(of palette: PaletteID) throws(StoreError) -> SnapshotOutline? {
    try store.outline(of: palette)
  }

  func lend(
    _ rows: ArraySlice<SnapshotOutline.Row>,
    of palette: PaletteID,
    to body: (UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) -> Bool {
    try store.lend(rows, of: palette, to: body)
  }

  func oldHistory(
    of palette: PaletteID,
    by node: NodeID,
    _ numbers: ClosedRange<UInt32>,
    byteLimit: Int
  ) throws(StoreError) -> OldHistory {
    let part = try store.oldHistory(of: palette, by: node, numbers, byteLimit: byteLimit)
    return OldHistory(
      palette: palette,
      node: node,
      last: part.last,
      sinceMilliseconds: part.sinceMilliseconds.map { UInt64(max(0, $0)) },
      changes: part.changes
    )
  }

  func isOwn(_ node: NodeID) -> Bool { store.isOwn(node) }
}
