internal import PaletteFormats
internal import PaletteModel
internal import PalettePlatform
package import PaletteStore

extension Command {
  package static let link = Command(
    "link",
    .files,
    .alone,
    view: .linkedFile,
    summary: "Binds a palette file to a palette, both ways and live",
    details: [
      "While a node runs, saving the file in another program edits the palette, as one action that "
        + "undo takes back, and every edit of the palette, from any machine, rewrites the file at once. "
        + "Without a node the two are made to say the same once, and are live when one runs.",
      "Only what differs from what hued wrote last is an edit: what the format rounds or leaves out stays "
        + "in the palette. A file that is broken, emptied or gone never removes anything: the link pauses, "
        + "'hued links' says why, and it goes on by itself when the file is good again.",
      "Where only one of file and palette is there, the other is made from it; without PALETTE the title "
        + "in the file, or else its name, says which palette it is. Where both are there, entries are colors "
        + "of the palette by id, name or color and say what they say of them, all others are added, and "
        + "nothing is removed on either side. The format is that of the content, or of the extension.",
    ],
    positionals: [
      Positional("FILE", "the palette file", content: .path),
      Positional(
        "PALETTE",
        "the palette; one of this name is made where there is none",
        need: .optional,
        content: .palette
      ),
    ],
    flags: [Flag("format", "F", "the format; `hued formats` lists them", content: .writtenFormat)],
    examples: [
      .init("hued link ~/.config/GIMP/2.10/palettes/brand.gpl Brand", "edit a palette in GIMP"),
      .init("hued link site/colors.css Brand", "keep a stylesheet up to date"),
    ],
    otherNames: ["bind", "attach", "follow"],
    parameters: [
      Parameter("file", .text(), "an absolute path on the node's machine"),
      Parameter("palette", .text(), "the palette").optional,
      Parameter("format", .text(), "a name of 'formats'; else the extension says it").optional,
      Parameter("title", .text(), "names the palette where nothing else does").optional,
    ],
    hasResult: true
  ) { call in
    let file = try call.parameters.text("file")
    guard let linking = call.library.linking else { throw APIError.noNodeToLink }
    let store = try call.library.creating()
    let kind = try FileKind(at: file, home: call.library.location.home)
    if let other = linking.linkedFile(sameAs: file) {
      let palette = try store.links.all().first { $0.file == other }?.palette
      let name = try palette.flatMap { try store.summary(of: $0)?.name } ?? "a palette"
      throw APIError(
        code: "exists",
        message: "'\(file)' is linked to '\(name)' already",
        hint: "'hued unlink \(other)' ends that"
      )
    }
    guard try store.links.all().count < LinkTable.limit else {
      throw APIError(
        code: "too-large",
        message: "a library links at most \(LinkTable.limit) files"
      )
    }
    let format = try call.format(of: file)
    let link = StoredLink(
      file: file,
      target: linking.target(of: file),
      palette: try call.linkedPalette(of: file, isThere: kind == .file, store),
      format: format.name
    )
    try store.links.save(link)
    try linking.begin(link)
    return try LinkAnswer(link, linking, store)
  }
  .with(\.clientPart, .linking)

  package static let unlink = Command(
    "unlink",
    .files,
    .alone,
    view: .sentence("Unlinked", key: "unlinked"),
    summary: "Ends the link of a file; file and palette stay as they are",
    positionals: [Positional("FILE", "the linked file", content: .path)],
    examples: [.init("hued unlink site/colors.css", "leave the stylesheet alone from now on")],
    otherNames: ["unbind", "detach"]
  ) { call in
    let file = try call.parameters.text("file")
    let known = call.library.linking?.linkedFile(sameAs: file) ?? file
    guard let store = try call.library.editing(),
      let link = try store.links.all().first(where: { $0.file == known })
    else {
      throw APIError(
        code: "not-found",
        message: "'\(file)' is not linked",
        hint: "'hued links' lists the files that are"
      )
    }
    _ = try store.links.remove(known)
    call.library.linking?.end(known)
    return UnlinkAnswer(file: known, palette: link.palette)
  }

  package static let links = Command(
    "links",
    .files,
    .read,
    view: .linkedFiles,
    summary: "Lists the linked files, and whether they are live",
    details: [
      "A link is live, paused (it goes on by itself) or broken (the file cannot be read as its "
        + "format, until it is mended). Of a live one it is said what the file cannot hold of the palette.",
      "When piped, each line holds file, palette, format, state, what is wrong, and what the file cannot hold.",
    ],
    examples: [.init("hued links", "see which files follow which palettes")],
    otherNames: ["bindings"],
    remark: "of a file on another machine an owner is told the name, without its folder",
    access: .owner
  ) { call in
    guard let store = try call.library.reading() else { return LinksAnswer(links: []) }
    let isHere = call.author.member == nil
    return LinksAnswer(
      links: try store.links.all().map {
        try LinkAnswer($0, call.library.linking, store, showsFolder: isHere)
      }
    )
  }
}

// MARK: What a link is made of

/// The kind of file at the path that is to be linked.
private enum FileKind {
  case file
  case nothing

  /// Refuses what is no file, and what is the library's own.
  init(at path: String, home: String) throws(APIError) {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw APIError(code: "bad-usage", message: "'\(path)' is no absolute path")
    }
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let folder = Self.real(slash == path.startIndex ? "/" : String(path[..<slash]))
    guard let folder, slash != path.index(before: path.endIndex) else {
      throw APIError(code: "not-found", message: "there is no folder for '\(path)'")
    }
    let target = Self.real(path)
    if let home = Self.real(home), folder == home || target?.hasPrefix(home + "/") == true {
      throw APIError(code: "bad-usage", message: "'\(path)' is in the folder of the library")
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else {
        throw APIError(
          code: "failed",
          message: "'\(path)' cannot be linked: \(Platform.failureReason)"
        )
      }
      // What is made there would be no catalog that Xcode knows.
      guard ![".xcassets", ".colorset"].contains(where: path.hasSuffix) else {
        throw Self.noFile("'\(path)' would be a folder, and only files can be linked")
      }
      self = .nothing
      return
    }
    let other: String? =
      switch status.st_mode & S_IFMT {
      case S_IFREG: nil
      case S_IFDIR: "a folder"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    if let other {
      throw Self.noFile("'\(path)' is \(other), and only files can be linked")
    }
    self = .file
  }

  private static func noFile(_ message: String) -> APIError {
    APIError(
      code: "bad-file",
      message: message,
      hint: "'hued export' and 'hued import' carry a palette there and back"
    )
  }

  private static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

extension LibraryCall {
  /// The format that was asked for, or that the extension of the file says; it is one that is read and written.
  fileprivate func format(of file: String) throws -> any FileFormat {
    do throws(FormatError) {
      let registry = FormatRegistry.standard
      let name: String?
      do { name = try parameters.optionalText("format") } catch { name = nil }
      let format =
        if let name { try registry.format(named: name) } else {
          try registry.format(toWriteExtension: file.pathExtension)
        }
      guard format.reads, format.writes else {
        throw FormatError(
          code: "bad-format",
          message: "the format \(format.name) can only be \(format.reads ? "read" : "written")",
          hint: "a link needs a format that is both"
        )
      }
      guard format.name != "xcassets" else {
        throw FormatError(
          code: "bad-format",
          message: "a catalog of Xcode is a folder for each color, and only files can be linked",
          hint: "'hued export' and 'hued import' carry a palette there and back"
        )
      }
      return format
    } catch {
      throw APIError(error)
    }
  }

  /// The palette that was asked for, or that the title or the name of the file says; made if need be.
  fileprivate func linkedPalette(
    of file: String,
    isThere: Bool,
    _ store: ChangeStore
  ) throws -> PaletteID {
    let argument = try parameters.optionalText("palette")
    let title = try parameters.optionalText("title")
    let fileName = file.pathTitle
    guard
      let name = argument ?? title.flatMap(TextRule.name.cleaned)
        ?? TextRule.name.cleaned(fileName)
    else {
      throw APIError(code: "bad-name", message: "say which palette '\(file)' is for")
    }
    do {
      let palette = try store.visiblePalette(name)
      // What only looks like the beginning of an id is none where nobody typed it.
      if argument != nil || palette.name.hasSameBytes(as: name) { return palette.id }
    } catch let error as APIError where error.code == "not-found" {
      guard isThere else {
        throw APIError(
          code: "not-found",
          message: "there is neither a file '\(file)' nor a palette '\(name)'",
          hint: "'hued palettes' lists the palettes"
        )
      }
    }
    let accepted = try TextRule.name.accepted(name)
    try Limit.checkPalettes(try store.checkIsFree(accepted) + 1)
    let id = PaletteID(RecordID())
    try store.write(as: author) { transaction throws(StoreError) in
      try transaction.palette(beginning: id).begin(named: accepted)
    }
    return id
  }
}

extension String {
  /// The part of a file's name after its last dot; empty if there is none.
  fileprivate var pathExtension: String {
    let name = split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// A file's name without its extension.
  fileprivate var pathTitle: String {
    let name = split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}

extension APIError {
  /// Nobody is there to keep a file and a palette together.
  static let noNodeToLink = APIError(
    code: "unreachable",
    message: "links need a node, and none runs here",
    hint: "run 'hued serve' first"
  )
}

// MARK: Answers

/// A linked file.
package struct LinkAnswer: ObjectAnswer {
  let file: String
  let link: StoredLink
  let name: String?
  let state: StoredLink.State
  let error: String?
  let notes: [String]
  let isSettled: Bool

  init(
    _ link: StoredLink,
    _ linking: (any Linking)?,
    _ store: ChangeStore,
    showsFolder: Bool = true
  ) throws {
    self.link = link
    file = showsFolder ? link.file : String(link.file.split(separator: "/").last ?? "")
    name = try store.summary(of: link.palette)?.name
    if let standing = linking?.standing(of: link.file) {
      (state, error, isSettled) = (standing.state, standing.error, standing.isSettled)
      notes = standing.notes
    } else {
      let isLive = link.state == .live
      state = isLive ? .paused : link.state
      error = isLive ? "no node runs" : link.error
      notes = []
      isSettled = true
    }
  }

  package static let schemaName = "Link"
  package static let fields: [Field<Self>] = [
    Field("file", "an absolute path; the name alone where another machine asks") { $0.file },
    Field("palette", "a UUID, lower case") { $0.link.palette.description },
    Field("name", "that of the palette") { $0.name },
    Field("format", "a name of 'formats'") { $0.link.format },
    Field("state", words: StoredLink.State.allCases.map(\.rawValue)) { $0.state.rawValue },
    Field("error", "why it is not live") { $0.error },
    Field("notes", "what the file cannot hold of the palette, or not exactly") { $0.notes },
    Field("settled") { $0.isSettled },
  ]
}

package struct LinksAnswer: ObjectAnswer {
  let links: [LinkAnswer]

  package static let fields: [Field<Self>] = [Field("links") { $0.links }]
}

private struct UnlinkAnswer: ObjectAnswer {
  let file: String
  let palette: PaletteID

  static let fields: [Field<Self>] = [
    Field("unlinked", "the path of the file") { $0.file },
    Field("palette", "a UUID, lower case") { $0.palette.description },
  ]
}

extension Received where Form == LinksAnswer {
  package var links: [Received<LinkAnswer>] { parts("links") }
}

extension Received where Form == LinkAnswer {
  package var file: String { text("file") }
  package var palette: String { text("palette") }
  package var name: String { text("name") }
  package var format: String { text("format") }
  package var state: Word<StoredLink.State> { word("state") }
  package var error: String? { optionalText("error") }
  package var notes: [String] { texts("notes") }
  package var isSettled: Bool { isSet("settled") }
}
