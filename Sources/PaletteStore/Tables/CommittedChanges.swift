public import PaletteModel

/// What one transaction made durable in one palette.
public struct CommittedChanges: Sendable {
  /// The palette.
  public let palette: PaletteID
  /// The changes, in the order in which they were taken.
  public let changes: [Entry]
  /// The records whose shown values may have changed, each once.
  public let records: [RecordID]
  /// Whether the palette was taken whole, so that any record may show something else.
  public let isRebuilt: Bool

  /// A change with its bytes.
  public struct Entry: Sendable {
    /// The change.
    public let change: Change
    /// The link by which the author's next change names it.
    public let link: UInt64
    /// Its bytes.
    public let bytes: ChangeBytes
  }
}
