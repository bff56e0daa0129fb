internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let `import` = Command(
    "import",
    .files,
    .create,
    view: .importedFiles,
    summary: "Reads palette files into the library",
    details: [
      "The format is recognised unless --format says it. Without --palette the file's own title "
        + "names the palette, else the file's name does; importing the same title again changes "
        + "only what differs. A file that cannot be read does not keep the others from being "
        + "imported, but the exit code is 2."
    ],
    positionals: [
      Positional(
        "FILE",
        as: "files",
        "a palette file, a folder or zip archive of them, or - for the standard input",
        need: .repeated,
        content: .file
      )
    ],
    flags: [
      Flag(
        "palette",
        "NAME",
        "put the colors into this palette, a new one if there is none",
        content: .palette
      ),
      Flag("format", "F", "read the files as this format", content: .readFormat),
    ],
    examples: [
      .init("hued import sunset.hex", "read a list of hexadecimal colors"),
      .init("hued import Palettes/", "read all palettes in a folder"),
      .init("hued import *.txt --palette Brand", "collect several files in one palette"),
      .init("curl -s URL | hued import - --palette Web", "read what another command prints"),
    ],
    otherNames: ["load", "read", "open"],
    parameters: [
      Parameter(
        "files",
        .list(
          .named(
            "File",
            .object([
              ("file", .text("its name")), ("bytes", .text("base64; not needed for a folder")),
              ("files", .list(.any)),
            ])
          )
        ),
        "the files"
      ),
      Parameter("palette", .text(), "the palette to put everything into").optional,
      Parameter("format", .text(), "a name of 'formats'; recognised when not given").optional,
    ],
    hasResult: true
  ) { call in
    let name = try call.parameters.optionalName("palette")
    var files: [ImportFile] = []
    var store: ChangeStore?
    do {
      switch call.prepared?.value {
      case let long as LongImport:
        let opened = try call.library.creating()
        return try ImportAnswer(try long.finish(in: opened, as: call.author), opened)
      case let prepared as [ImportFile]: files = prepared
      default:
        files = try ImportFile.all(call.parameters) { done, count throws(APIError) in
          try call.library.report(.counting("Reading", .files, done: done, of: count))
        }
      }
      if files.contains(where: { $0.error == nil }) {
        let opened = try call.library.creating()
        try opened.import(&files, into: name, call)
        store = opened
      }
    } catch let error where APIError(any: error).code == "interrupted" {
      throw APIError.interrupted("nothing was imported")
    }
    return try ImportAnswer(files, store)
  }.preparing { parameters throws(APIError) in
    let parameters = Parameters(.object(parameters))
    let name = try parameters.optionalName("palette")
    return LongImport.pieces(of: try ImportFile.all(parameters), into: name)
  }
  .with(\.work, "Importing")
  .with(\.programPart, .importing)
  .failing(ImportAnswer.failure(in:))
}

extension ChangeStore {
  fileprivate func `import`(
    _ files: inout [ImportFile],
    into name: String?,
    _ call: LibraryCall
  ) throws {
    var imports = try imports(of: &files, into: name)
    for index in imports.indices {
      try call.library.report(
        .counting("Comparing", .palettes, done: index, of: imports.count)
      )
      if try imports[index].load(&files, from: self) != nil { try imports[index].compare(&files) }
    }
    let planned = imports.filter { files[$0.files[0]].error == nil }
    guard !planned.isEmpty else { return }
    let total = planned.reduce(0) { $0 + $1.edits }
    try write(as: call.author) { transaction throws(StoreError) in
      var done = 0
      for palette in planned {
        try palette.write(in: transaction) { count throws(StoreError) in
          let progress = Progress("Importing", .colors, done: done + count, of: total)
          try call.library.report(inStore: progress)
        }
        done += palette.edits
        try call.library.report(inStore: Progress("Importing", .colors, done: done, of: total))
      }
    }
  }

  /// The files for each palette, in the order of the files.
  func imports(
    of files: inout [ImportFile],
    into name: String?
  ) throws -> [PaletteImport] {
    var targets = ImportTargets(in: self, takesPrefixes: name != nil)
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
}

/// The palettes that an import writes, found by name or made up.
private struct ImportTargets {
  /// The imports, in the order of the files.
  private(set) var imports: [PaletteImport] = []
  private let store: ChangeStore
  /// True if the beginning of an id, as tables show it, names a palette.
  private let takesPrefixes: Bool
  private var positions: [[UInt8]: Int] = [:]
  private var created = 0
  private var random = SystemRandomNumberGenerator()

  /// The length from which on a name is rather an id than the name of a new palette.
  private static let shortestPrefix = 8

  init(in store: ChangeStore, takesPrefixes: Bool) {
    self.store = store
    self.takesPrefixes = takesPrefixes
  }

  /// Adds a file to the import into the palette with a name, or with this id.
  mutating func add(_ file: Int, for name: String) throws {
    let key = Array(name.utf8)
    if let position = positions[key] {
      imports[position].files.append(file)
      return
    }
    let id = PaletteID(name)
    var found = try store.palettes(named: name, limit: Lookup.listedCandidates)
    if found.count == 0, let id, let summary = try store.summary(of: id), !summary.isDropped {
      found = ([summary], 1)
    } else if found.count == 0, takesPrefixes, name.utf8.count >= Self.shortestPrefix,
      let range = RecordID.range(withPrefix: name)
    {
      found = try store.palettes(in: range, limit: Lookup.listedCandidates)
    }
    var target: PaletteImport
    if found.palettes.isEmpty {
      try Limit.checkPalettes(try store.totals().palettes + created + 1)
      created += 1
      target = PaletteImport(into: PaletteID(RecordID(using: &random)), creating: name)
    } else {
      guard found.count == 1 else {
        let candidates = found.palettes.map(\.candidate)
        throw Lookup.palette.ambiguous(name, candidates, count: found.count)
      }
      let palette = found.palettes[0]
      if let refusal = try store.refusal(ofEditing: palette.id, named: palette.name) {
        throw refusal
      }
      target = PaletteImport(into: palette.id)
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

/// The outcome for each file.
package struct ImportAnswer: ObjectAnswer {
  let files: [ImportedFile]

  init(_ files: [ImportFile], _ store: ChangeStore?) throws {
    self.files = try files.map { file in
      ImportedFile(
        file: file,
        digest: try file.outcome.palette.flatMap { try store?.digest(of: $0) }
      )
    }
  }

  /// The code of the error that an answer with a file that was not read amounts to.
  @Sendable static func failure(in answer: JSON) -> String? {
    let codes = (answer["files"].arrayValue ?? []).compactMap { $0["error"]["code"].stringValue }
    guard !codes.isEmpty else { return nil }
    return codes.allSatisfy { $0 == "not-allowed" } ? "not-allowed" : "bad-file"
  }

  package static let fields: [Field<Self>] = [Field("files") { $0.files }]
}

package struct ImportedFile: ObjectAnswer {
  let file: ImportFile
  let digest: Digest?

  package static let schemaName = "Imported"
  package static let fields: [Field<Self>] = [
    Field("file") { $0.file.name }, Field("format") { $0.file.format },
    Field("palette") { $0.file.outcome.palette?.description },
    Field("digest") { $0.digest?.description }, Field("colors") { $0.file.contents.entries.count },
    Field("skipped") { $0.file.contents.skipped.map { SkippedAnswer(entry: $0) } },
    Field("inserted") { $0.file.outcome.inserted }, Field("deleted") { $0.file.outcome.deleted },
    Field("moved") { $0.file.outcome.moved }, Field("updated") { $0.file.outcome.updated },
    Field("error") { $0.file.error },
  ]
}

package struct SkippedAnswer: ObjectAnswer {
  let entry: PaletteFormats.SkippedEntry

  package static let fields: [Field<Self>] = [
    Field("at") { $0.entry.at }, Field("reason") { $0.entry.reason },
  ]
}

extension Received where Form == ImportAnswer {
  package var files: [Received<ImportedFile>] { parts("files") }
}

extension Received where Form == ImportedFile {
  package var file: String { text("file") }
  package var format: String { text("format") }
  package var palette: String { text("palette") }
  package var colors: Int? { integer("colors") }
  package var skipped: [Received<SkippedAnswer>] { parts("skipped") }
  package var inserted: Int? { integer("inserted") }
  package var deleted: Int? { integer("deleted") }
  package var moved: Int? { integer("moved") }
  package var updated: Int? { integer("updated") }
  package var error: Received<APIError>? { has("error") ? part("error") : nil }
}

extension Received where Form == SkippedAnswer {
  package var place: String { text("at") }
  package var reason: String { text("reason") }
}
