internal import PaletteJSON
internal import PaletteModel

/// The palettes of a widespread plugin for Sketch.
struct SketchFormat: FileFormat {
  let name = "sketchpalette"
  let title = "Sketch palette"
  let extensions = ["sketchpalette"]
  let writes = false
  let keeps: KeptContent = [.alpha]

  func match(_ file: FileProbe) -> FormatMatch {
    guard let document = file.json, let colors = document["colors"]?.arrayValue else {
      return .none
    }
    let isMarked = document["compatibleVersion"] != nil || document["pluginVersion"] != nil
    return FormatMatch(.certain, if: isMarked || colors.first?["red"]?.numberValue != nil)
  }

  /// The first versions had the colors as texts, the later ones have red, green, blue and alpha.
  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    guard let colors = try file.parsedJSON.get()["colors"]?.arrayValue else {
      throw .badFile("the JSON document has no list \"colors\"")
    }
    var contents = FileContents()
    for (index, element) in colors.enumerated() {
      let parts = ["red", "green", "blue"].compactMap { element[$0]?.numberValue }
      let name = element["name"]?.stringValue.flatMap(TextRule.name.cleaned)
      if let color = element.stringValue.flatMap({ Color(loose: $0) }) {
        contents.entries.append(FileEntry(color: color))
      } else if parts.count == 3 {
        var color = Color(.srgb, parts[0], parts[1], parts[2]).nearestBytes
        color.alpha = min(1, max(0, element["alpha"]?.numberValue ?? 1))
        contents.entries.append(FileEntry(name: name, color: color))
      } else {
        let reason = "neither a text nor red, green and blue"
        contents.skipped.append(SkippedEntry(at: "colors[\(index)]", reason: reason))
      }
    }
    return contents
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] { throw .onlyRead(name) }
}
