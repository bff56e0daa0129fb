import PaletteClient

/// A catch-up in one line of a terminal, which is written over and over.
struct ProgressBar {
  private static let width = 30

  /// The line for some progress, from the start of the line on.
  static func line(_ progress: SyncProgress, columns: Int) -> String {
    let filled = progress.total == 0 ? 0 : Self.width * progress.done / progress.total
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    let text = "Syncing [\(bar)] \(progress.done) of \(progress.total) changes"
    return "\r" + text.prefix(max(0, columns - 1)) + "\u{1B}[K"
  }

  /// What takes the line away.
  static let end = "\r\u{1B}[K"
}
