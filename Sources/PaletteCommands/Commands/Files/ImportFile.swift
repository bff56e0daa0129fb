internal import PaletteFormats
internal import PaletteJSON
internal import PaletteModel

/// One file of an import: what it holds, or why it is refused.
struct ImportFile: Sendable {
  /// The argument as it was given.
  let name: String
  /// The name of its format; nil when none was found.
  private(set) var format: String?
  /// The contents; empty if the file is refused.
  private(set) var contents = FileContents()
  /// The reason why it is refused.
  private(set) var error: APIError?
  /// The outcome.
  var outcome = Outcome()

  /// The effect of an import on one file.
  struct Outcome {
    /// The palette that the file's colors are in now.
    var palette: PaletteID?
    /// The number of its colors that are new.
    var inserted = 0
    /// The number of colors of the palette that are gone; counted with the palette's first file.
    var deleted = 0
    /// The number of its colors that stand elsewhere than before.
    var moved = 0
    /// The number of its colors that have other content than before.
    var updated = 0
  }

  /// Reads what the arguments of an import hold; `report` receives the number of those read, and of all.
  static func all(
    _ parameters: Parameters,
    report: (Int, Int) throws(APIError) -> Void = { _, _ in }
  ) throws(APIError) -> [ImportFile] {
    let format = try parameters.optionalText("format")
    do throws(FormatError) {
      if let format { _ = try FormatRegistry.standard.format(named: format) }
    } catch {
      throw APIError(error)
    }
    var files: [ImportFile] = []
    let documents = try parameters.documents("files")
    for (done, document) in documents.enumerated() {
      try report(done, documents.count)
      files += try all(document, format: format)
    }
    return files
  }

  /// Reads an element of the argument `files`; an archive of several palettes is as many files.
  static func all(_ document: JSON, format wanted: String?) throws(APIError) -> [ImportFile] {
    let file = try ImportFile(document, format: wanted)
    guard file.error?.code == "bad-format", wanted == nil,
      let bytes = document["bytes"].base64Bytes, ZipArchive.isOne(bytes)
    else { return [file] }
    do throws(FormatError) {
      let files = try ZipArchive(bytes).files().filter { inner in
        let parts = inner.path.split(separator: "/")
        let isHidden = parts.contains { $0.hasPrefix(".") || $0.hasPrefix("__") }
        return !isHidden && FormatRegistry.standard.mayRead(named: inner.path)
      }
      guard !files.isEmpty else {
        throw FormatError(
          code: "bad-file",
          message: "the archive '\(file.name)' holds no palette"
        )
      }
      return files.map { ImportFile($0, in: file.name) }
    } catch {
      var refused = file
      refused.refuse(APIError(error))
      return [refused]
    }
  }

  /// Reads a file of an archive.
  private init(_ file: ArchivedFile, in archive: String) {
    name = "\(archive)/\(file.path)"
    read(FileProbe(file.bytes, named: name), as: nil)
  }

  /// Reads an element of the argument `files`: a name with bytes, with the files of a folder, or with why
  /// they could not be read.
  private init(_ document: JSON, format wanted: String?) throws(APIError) {
    guard let name = document["file"].stringValue else {
      throw APIError(code: "bad-usage", message: "a file of the argument 'files' has no name")
    }
    self.name = name
    if let code = document["error"]["code"].stringValue {
      error = APIError(
        code: code,
        message: document["error"]["message"].stringValue ?? "the file cannot be read",
        hint: document["error"]["hint"].stringValue
      )
      return
    }
    if let elements = document["files"].arrayValue {
      let files = elements.compactMap { element -> ArchivedFile? in
        guard let path = element["path"].stringValue, let bytes = element["bytes"].base64Bytes
        else {
          return nil
        }
        return ArchivedFile(path: path, bytes: bytes)
      }
      guard files.count == elements.count else {
        throw APIError(
          code: "bad-usage",
          message: "a file of the folder '\(name)' has no path or no bytes in base64"
        )
      }
      read(FileProbe(folder: files, named: name), as: wanted)
      return
    }
    guard let bytes = document["bytes"].base64Bytes else {
      throw APIError(code: "bad-usage", message: "the file '\(name)' has no bytes in base64")
    }
    read(FileProbe(bytes, named: name), as: wanted)
  }

  private mutating func read(_ file: FileProbe, as wanted: String?) {
    do throws(FormatError) {
      let (format, contents) = try FormatRegistry.standard.read(file, as: wanted)
      guard !contents.entries.isEmpty || contents.isPalette else {
        throw FormatError(
          code: "bad-file",
          message: "'\(file.name)' holds no color, and does not say that it is a palette"
        )
      }
      self.format = format.name
      self.contents = contents
    } catch {
      refuse(APIError(error))
    }
  }

  /// Leaves the file out of the import.
  mutating func refuse(_ error: APIError) {
    self.error = error
    contents.entries = []
    outcome = Outcome()
  }

  /// The name of the palette that the file is for, when nobody says another.
  var title: String? {
    if let title = contents.title.flatMap(TextRule.name.cleaned) { return title }
    guard name != "-" else { return nil }
    let last = name.split(separator: "/").last ?? ""
    let dot = last.lastIndex(of: ".") ?? last.endIndex
    return TextRule.name.cleaned(String(dot == last.startIndex ? last : last[..<dot]))
  }
}
