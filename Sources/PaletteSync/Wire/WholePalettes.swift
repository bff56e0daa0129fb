public import PaletteMerge
public import PaletteModel

/// All changes of several small palettes, in columns that are squeezed together.
///
/// A library may have very many palettes that a peer lacks. Their changes come without a question and
/// an answer for each, and what they have in common is said once.
public struct WholePalettes: Hashable, Sendable {
  /// One of the palettes.
  public struct Entry: Hashable, Sendable {
    /// The palette.
    public let palette: PaletteID
    /// Its digest at the sender, which holds these changes and no others.
    public let digest: Digest
    /// The number of the rows that are its changes.
    public let rows: Int

    /// Creates an entry.
    public init(palette: PaletteID, digest: Digest, rows: Int) {
      self.palette = palette
      self.digest = digest
      self.rows = rows
    }
  }

  /// All changes of one palette, as they arrived.
  struct Arrival {
    /// The digest at the sender, which holds the changes and no others.
    let digest: Digest
    let changes: ArrivedChanges
  }

  /// The palettes, ascending; their rows follow each other in this order.
  public var entries: [Entry]
  /// The rows of all of them.
  public var rows: PackedChanges

  /// Creates palettes as they travel.
  public init(entries: [Entry], rows: PackedChanges) {
    self.entries = entries
    self.rows = rows
  }

  /// The changes, palette by palette.
  ///
  /// - Throws: `MalformedFrame` when they are none.
  func arrivals() throws(MalformedFrame) -> [Arrival] {
    let changes = try rows.arrivals(in: entries.map { ($0.palette, $0.rows) })
    return zip(entries, changes).map { Arrival(digest: $0.digest, changes: $1) }
  }
}

/// Packs palettes into a frame until it is full.
struct WholePacker {
  private var packer = RowPacker()
  private var entries: [WholePalettes.Entry] = []
  /// The number of bytes the changes have.
  private(set) var byteCount = 0

  /// At most how many bytes an entry takes.
  private static let entryBytes = 40

  /// Returns whether so many bytes of changes of another palette fit.
  func hasRoom(for bytes: Int, payloadBytes: Int) -> Bool {
    let taken = packer.byteCount + Self.entryBytes * (entries.count + 1)
    return taken + bytes <= payloadBytes
      && byteCount + bytes <= SyncProtocol.unpackedBytes / 2
  }

  /// Adds all changes of a palette, which have room.
  ///
  /// - Throws: `CBORError` when one of them is no change after all.
  mutating func add(
    _ palette: PaletteID,
    _ digest: Digest,
    _ changes: [OutgoingChange]
  ) throws(CBORError) {
    packer.beginPalette()
    for change in changes {
      try change.bytes.withUnsafeBytes { (bytes) throws(CBORError) in
        try packer.add(bytes, change.dot)
      }
      byteCount += change.bytes.count
    }
    entries.append(WholePalettes.Entry(palette: palette, digest: digest, rows: changes.count))
  }

  /// The palettes that were added.
  func finish() -> WholePalettes { WholePalettes(entries: entries, rows: PackedChanges(packer)) }
}
