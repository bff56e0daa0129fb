internal import PaletteModel

/// The JSON document that shows a palette on the command line: the one format that keeps everything.
///
/// Its reader needs only `colors` with a `color` or a `hex` in each.
struct PaletteDocumentFormat: FileFormat {
  let name = "json"
  let title = "JSON document"
  let extensions = ["json"]
  let contentType = "application/json"
  let keeps: KeptContent = .all

  func match(_ file: FileProbe) -> FormatMatch {
    FormatMatch(.likely, if: file.json?["colors"]?.arrayValue != nil)
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    let document = try file.parsedJSON.get()
    guard let colors = document["colors"]?.arrayValue else {
      throw .badFile("the JSON document has no list \"colors\"")
    }
    var contents = FileContents(title: document["palette"]?["name"]?.stringValue)
    for (index, color) in colors.enumerated() {
      do {
        contents.entries.append(try entry(color))
      } catch {
        contents.skipped.append(SkippedEntry(at: "colors[\(index)]", reason: error.message))
      }
    }
    return contents
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var writer = JSONWriter(capacity: sheet.colors.count * 200 + 200)
    writer.document(of: sheet)
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private func entry(_ color: JSON) throws(FormatError) -> FileEntry {
    guard let text = color["color"]?.stringValue ?? color["hex"]?.stringValue else {
      throw .badFile("neither \"color\" nor \"hex\" is a text")
    }
    let value: Color
    do {
      value = try Color(css: text)
    } catch {
      throw .badFile(error.message)
    }
    return FileEntry(
      id: color["id"]?.stringValue.flatMap { RecordID($0) },
      name: color["name"]?.stringValue.flatMap(TextRule.name.cleaned),
      color: value,
      note: color["note"]?.stringValue.map { TextRule.note.cleaned($0) ?? "" }
    )
  }
}
