import PaletteCommands
import PaletteProgram

@testable import hued

/// Standard streams in memory.
final class RecordingConsole: Console {
  var output: [UInt8] = []
  var notes = ""
  var input: [UInt8] = []
  var answers: [String] = []
  var failure: OutputError?

  var text: String { String(decoding: output, as: UTF8.self) }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    if let failure { throw failure }
    output += bytes
  }

  func writeError(_ text: String) { notes += text }

  func readLine() -> String? { answers.isEmpty ? nil : answers.removeFirst() }

  func readAll(limit: Int) throws(APIError) -> [UInt8] { input }
}
