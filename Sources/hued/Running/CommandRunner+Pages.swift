import PaletteCommands
import PaletteFormats

extension CommandRunner {
  /// Shows palettes, page by page; those of a page are written before the next one is asked for.
  func runPalettes() throws(APIError) -> Output {
    var pages = PalettePages(parameters: try parameters())
    if presentation.isTerminal, presentation.depth != .none, !options.json { pages.askForStrips() }
    let answer = try pages.next(self)
    // Whoever says how many gets one page.
    guard pages.hasMore, invocation["limit"].isNull else { return try show(answer) }
    var document = try answer.json
    if options.json { return try writeJSON(document, &pages) }
    let renderer = TextRenderer(presentation: presentation, invocation: invocation)
    // A table is as wide as its widest line.
    guard !presentation.isTerminal else {
      var palettes = document["palettes"]?.arrayValue ?? []
      while pages.hasMore {
        palettes += try pages.next(self).json["palettes"]?.arrayValue ?? []
      }
      return renderer.output(for: ["palettes": JSON(palettes)])
    }
    while true {
      let output = renderer.output(for: document)
      guard pages.hasMore, try write(output.output) else { return output }
      document = try pages.next(self).json
    }
  }

  /// Writes one document, as if it had come in one piece.
  private func writeJSON(
    _ first: JSON,
    _ pages: inout PalettePages
  ) throws(APIError) -> Output {
    var document = first
    var start = Array(#"{"palettes":["#.utf8)
    while true {
      let list = document["palettes"]?.bytes ?? []
      let part = start + list.dropFirst().dropLast()
      guard pages.hasMore, try write(part) else {
        return Output(output: part + Array("]}\n".utf8))
      }
      start = [UInt8(ascii: ",")]
      document = try pages.next(self).json
    }
  }

  /// Writes a part of the output; false where nobody reads it.
  private func write(_ bytes: [UInt8]) throws(APIError) -> Bool {
    do throws(OutputError) {
      try program.console.write(bytes)
      return true
    } catch {
      switch error {
      case .closedPipe: return false
      case .failed(let reason):
        throw APIError(
          code: "failed",
          message: "the result cannot be written to the standard output: \(reason)"
        )
      }
    }
  }
}

/// Asks for palettes, page by page.
private struct PalettePages {
  private var parameters: JSONObject
  private(set) var hasMore = true

  init(parameters: JSON) {
    self.parameters = parameters.objectValue ?? JSONObject([])
  }

  /// Asks for the first colors of each palette too.
  mutating func askForStrips() {
    parameters["strip"] = .integer(Int64(TextRenderer.stripLimit))
  }

  /// The next page.
  mutating func next(_ runner: CommandRunner) throws(APIError) -> any Answer {
    let answer = try runner.call(.object(parameters))
    let document = try answer.json
    let last = document["palettes"]?.arrayValue?.last
    parameters["after"] = last?["id"] ?? .null
    // A page of nothing would be asked for again and again.
    hasMore = document["more"]?.boolValue == true && last != nil
    return answer
  }
}
