/// What a backup holds.
public struct BackupSummary: Hashable, Sendable {
  /// The size of the file.
  public let bytes: Int
  /// How many pages SQLite copied.
  public let pages: Int
}
