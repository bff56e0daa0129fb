internal import PaletteNode
internal import PalettePeers
internal import PalettePlatform
internal import Synchronization

/// Leaves out lines about the storage and about opening that say what one of the same minute has said.
///
/// A database that is away or full fails every edit of every library, and a full disk of the hub every
/// attempt to open one, with the same words.
final class RepeatedLines: Sendable {
  /// The seconds for which a line speaks for all that say the same.
  private static let interval = 60.0
  /// The most lines that are remembered.
  private static let memory = 1_024
  private static let events: Set<String> = [LogEvent.storage.rawValue, LogEvent.fleet.rawValue]

  /// The time at which each line was written.
  private let written = Mutex<[String: Double]>([:])

  /// Returns whether a line is to be written.
  func allows(_ line: NodeLog, at now: Double = Platform.uptime) -> Bool {
    guard Self.events.contains(line.event), line.level <= .warning else { return true }
    return written.withLock { written in
      if let last = written[line.message], now - last < Self.interval { return false }
      if written.count >= Self.memory {
        written = written.filter { now - $0.value < Self.interval }
      }
      if written.count >= Self.memory { written = [:] }
      written[line.message] = now
      return true
    }
  }
}
