internal import PaletteJSON
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
    let text = file.contentBytes
    contents.isGenerated = Self.isGenerated(document)
    if let name = JSONOutline(of: text).value(of: "palette", in: text)?.value(of: "name", in: text)
    {
      contents.titlePlace = TitlePlace(range: name.range.inner, quoting: .json)
    }
    let list =
      contents.isGenerated ? nil : JSONOutline(of: text).value(of: "colors", in: text)
    for (index, color) in colors.enumerated() {
      do {
        var entry = try entry(color)
        if let list, index < list.elements.count {
          entry.place = Self.place(of: list.elements[index], in: text)
        }
        contents.entries.append(entry)
      } catch {
        contents.skipped.append(SkippedEntry(at: "colors[\(index)]", reason: error.message))
      }
    }
    return contents
  }

  /// Whether a document tells of the whole palette, digest and all, and has no member of anybody else's.
  private static func isGenerated(_ document: JSON) -> Bool {
    func has(only keys: Set<String>, _ node: JSON?) -> Bool {
      node?.objectValue?.members.allSatisfy { keys.contains($0.key) } ?? false
    }
    let record: Set = ["id", "name", "color", "hex", "index", "note", "conflicts", "seen"]
    return document["palette"]?["digest"] != nil && has(only: ["palette", "colors"], document)
      && has(only: ["id", "name", "count", "digest"], document["palette"])
      && document["colors"]?.arrayValue?.allSatisfy { has(only: record, $0) } ?? false
  }

  private static func place(of element: JSONOutline, in text: [UInt8]) -> EntryPlace {
    let hasColor = element.value(of: "color", in: text) != nil
    let meanings: [(String, EntrySlot.Meaning)] = [
      ("id", .id), ("name", .name(.json)), ("color", .color(.json)),
      ("hex", hasColor ? .hex : .color(.json)), ("note", .note(.json)),
    ]
    let slots = meanings.compactMap { key, meaning in
      element.value(of: key, in: text).map { value in
        EntrySlot(range: value.range.inner, meaning: meaning)
      }
    }
    return JSONOutline.place(of: element.range, in: text, slots)
  }

  func tidied(_ text: [UInt8]) -> [UInt8] { JSONOutline.withoutTrailingCommas(text) }

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
