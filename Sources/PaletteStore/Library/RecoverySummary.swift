/// What a recovery put in place, and where the old library went.
public struct RecoverySummary: Hashable, Sendable {
  /// The backup as it was put in place.
  public let backup: BackupSummary
  /// The schema version of the backup.
  public let version: Int
  /// Where the old library is kept; nil when there was none.
  public let keptAs: String?
}
