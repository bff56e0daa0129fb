internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// `import FILE...`: files become palettes, or what palettes are from now on.
enum ImportVerb {
  /// Imports all files that can be read, in one transaction, each palette as one action.
  static func `import`(_ call: LibraryCall) throws -> [UInt8] {
    let format = try call.parameters.optionalText("format")
    let name = try call.parameters.optionalName("palette")
    do throws(FormatError) {
      if let format { _ = try FormatRegistry.standard.format(named: format) }
    } catch {
      throw APIError(error)
    }
    var files = try call.parameters.documents("files").map { document throws(APIError) in
      try ImportFile(document, format: format)
    }
    var store: ChangeStore?
    if files.contains(where: { $0.error == nil }) {
      let opened = try call.library.creating()
      try run(&files, into: name, opened, by: call.author)
      store = opened
    }
    return try answer(files, store)
  }

  private static func run(
    _ files: inout [ImportFile],
    into name: String?,
    _ store: ChangeStore,
    by author: AuthorID
  ) throws {
    var imports = try imports(of: &files, into: name, store)
    for index in imports.indices { try imports[index].plan(&files, store) }
    let planned = imports.filter { files[$0.files[0]].error == nil }
    guard !planned.isEmpty else { return }
    try store.write(as: author) { transaction throws(StoreError) in
      for palette in planned { try palette.write(in: transaction) }
    }
  }

  /// Which files are for which palette, in the order of the files.
  private static func imports(
    of files: inout [ImportFile],
    into name: String?,
    _ store: ChangeStore
  ) throws -> [PaletteImport] {
    var targets = ImportTargets(among: try store.visiblePalettes())
    for index in files.indices where files[index].error == nil {
      do {
        guard let title = name ?? files[index].title else {
          throw APIError(
            code: "bad-name",
            message: "the file has no title that could name a palette",
            hint: "say which palette with --palette NAME"
          )
        }
        try targets.add(index, for: title)
      } catch let error as APIError {
        files[index].refuse(error)
      }
    }
    return targets.imports
  }

  private static func answer(_ files: [ImportFile], _ store: ChangeStore?) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("files")
    writer.beginArray()
    for file in files {
      let palette = file.outcome.palette
      let digest = try palette.flatMap { try store?.digest(of: $0) }
      writer.file(file, digest: digest)
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}

/// The palettes that an import writes, found by name or made up.
private struct ImportTargets {
  /// What is imported, in the order of the files.
  private(set) var imports: [PaletteImport] = []
  private let palettes: [PaletteSummary]
  private var positions: [[UInt8]: Int] = [:]
  private var created = 0
  private var random = SystemRandomNumberGenerator()

  init(among palettes: [PaletteSummary]) {
    self.palettes = palettes
  }

  /// Adds a file to the import into the palette with a name, or with exactly this id.
  mutating func add(_ file: Int, for name: String) throws {
    let key = Array(name.utf8)
    if let position = positions[key] {
      imports[position].files.append(file)
      return
    }
    let id = PaletteID(name)
    let named = palettes.filter { $0.name.hasSameBytes(as: name) }
    let found = named.isEmpty ? palettes.filter { $0.id == id } : named
    var target: PaletteImport
    if found.isEmpty {
      try Limit.checkPalettes(palettes.count + created + 1)
      created += 1
      target = PaletteImport(into: PaletteID(RecordID(using: &random)), creating: name)
    } else {
      let index = try Lookup.palette.index(of: name, among: found.map(\.candidate))
      target = PaletteImport(into: found[index].id)
    }
    // A name and an id may lead to the same palette.
    let known = imports.firstIndex { $0.palette == target.palette }
    positions[key] = known ?? imports.count
    if let known {
      imports[known].files.append(file)
    } else {
      target.files.append(file)
      imports.append(target)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func file(_ file: ImportFile, digest: Digest?) {
    beginObject()
    member("file", file.name)
    member("format", file.format)
    member("palette", file.outcome.palette?.description)
    member("digest", digest?.description)
    member("colors", file.contents.entries.count)
    key("skipped")
    beginArray()
    for skipped in file.contents.skipped {
      beginObject()
      member("at", skipped.at)
      member("reason", skipped.reason)
      endObject()
    }
    endArray()
    member("inserted", file.outcome.inserted)
    member("deleted", file.outcome.deleted)
    member("moved", file.outcome.moved)
    member("updated", file.outcome.updated)
    key("error")
    if let error = file.error { document(error.document.bytes) } else { null() }
    endObject()
  }
}
