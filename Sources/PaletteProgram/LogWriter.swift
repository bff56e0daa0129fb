internal import PaletteCommands
internal import PaletteJSON
internal import PaletteModel
package import PaletteNode
internal import PalettePlatform

/// Writes a node's log to the standard error: text on a terminal, JSON lines elsewhere.
package struct LogWriter: Sendable {
  private let level: NodeLog.Level
  private let isTerminal: Bool

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - level: The least level of the lines that are written.
  ///   - isTerminal: True for text, false for JSON.
  package init(level: NodeLog.Level, isTerminal: Bool) {
    self.level = level
    self.isTerminal = isTerminal
  }

  /// Writes a line, unless it matters too little.
  package func write(_ line: NodeLog) {
    guard line.level <= level else { return }
    // One call for one line, so that the lines of two threads do not mix.
    _ = Platform.writeAll((isTerminal ? text(line) : json(line)).utf8, to: STDERR_FILENO)
  }

  package func text(_ line: NodeLog) -> String {
    let fields = line.fields.map { field in
      " \(field.key)=\(field.value.stringValue ?? field.value.text)"
    }
    let time = line.time.dropFirst(11).prefix(8)
    return SafeText.line("\(time) \(line.level.rawValue): \(line.message)\(fields.joined())") + "\n"
  }

  package func json(_ line: NodeLog) -> String {
    let head: [(key: String, value: JSON)] = [
      ("time", JSON(line.time)), ("level", JSON(line.level.rawValue)),
      ("event", JSON(line.event)), ("message", JSON(line.message)),
    ]
    return JSON(head + line.fields).text + "\n"
  }
}
