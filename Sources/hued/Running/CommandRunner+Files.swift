import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteModel

extension CommandRunner {
  /// The most bytes that one imported file may have.
  private static let importLimit = 64 << 20

  /// Reads the files here and lets the API import them; one that cannot be read is passed on as such.
  func runImport() throws(APIError) -> Output {
    let names = (invocation["files"].arrayValue ?? []).compactMap(\.stringValue)
    guard names.count(where: { $0 == "-" }) < 2 else {
      throw .usage("the standard input can be imported only once")
    }
    var files: [JSON] = []
    for name in names { files += File.isFolder(name) ? read(folder: name) : [read(name)] }
    let others = invocation.arguments.filter { $0.key != "files" }
    return try show(try call(JSON([("files", JSON(files))] + others)))
  }

  /// Reads the image here and finds its colors.
  func runPick() throws(APIError) -> Output {
    let bytes = try bytes(of: invocation["file"].stringValue ?? "")
    let others = invocation.arguments.filter { $0.key != "file" }
    return try show(try call(JSON([("bytes", JSON(base64: bytes))] + others)))
  }

  private func bytes(of name: String) throws(APIError) -> [UInt8] {
    name == "-"
      ? try program.console.readAll(limit: Self.importLimit)
      : try File.read(name, limit: Self.importLimit)
  }

  private func read(_ name: String) -> JSON {
    do throws(APIError) {
      let bytes = try bytes(of: name)
      return ["file": JSON(name), "bytes": JSON(base64: bytes)]
    } catch {
      return ["file": JSON(name), "error": error.document]
    }
  }

  /// The palettes in a folder and all folders in it; one of Xcode's is a single palette.
  private func read(folder: String) -> [JSON] {
    let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    do throws(APIError) {
      let paths = try File.paths(in: folder)
      if Self.isPalette(folder: folder) { return [try read(palette: folder, paths)] }
      var documents: [JSON] = []
      var catalogs: [String: [String]] = [:]
      for path in paths {
        if let root = Self.catalog(of: path) {
          catalogs[root, default: []].append(path)
        } else if FormatRegistry.standard.mayRead(named: path) {
          documents.append(read("\(folder)/\(path)"))
        }
      }
      for (root, paths) in catalogs.sorted(by: { $0.key < $1.key }) {
        let own = paths.map { String($0.dropFirst(root.isEmpty ? 0 : root.count + 1)) }
        documents.append(try read(palette: root.isEmpty ? folder : "\(folder)/\(root)", own))
      }
      if documents.isEmpty {
        throw APIError(code: "failed", message: "the folder '\(folder)' holds no palette")
      }
      return documents
    } catch {
      return [["file": JSON(folder), "error": error.document]]
    }
  }

  /// The folder that is one palette with the file in it: a catalog of Xcode, or, for color sets without
  /// one, all of the folder that is read.
  private static func catalog(of path: String) -> String? {
    let parts = path.split(separator: "/").dropLast()
    if let end = parts.firstIndex(where: { $0.hasSuffix(".xcassets") }) {
      return parts[...end].joined(separator: "/")
    }
    return parts.contains { $0.hasSuffix(".colorset") } ? "" : nil
  }

  private static func isPalette(folder: String) -> Bool {
    [".xcassets", ".colorset"].contains { folder.hasSuffix($0) }
  }

  private func read(palette folder: String, _ paths: [String]) throws(APIError) -> JSON {
    var files: [JSON] = []
    var left = ZipArchive.sizeLimit
    // Pictures beside the colors are none of ours.
    for path in paths where path.hasSuffix(".json") {
      let bytes = try File.read("\(folder)/\(path)", limit: left)
      left -= bytes.count
      files.append(["path": JSON(path), "bytes": JSON(base64: bytes)])
    }
    return ["file": JSON(folder), "files": JSON(files)]
  }

  /// Gets the file's bytes from the API and puts them where they are wanted.
  func runExport() throws(APIError) -> Output {
    let output = invocation["output"].stringValue.flatMap { $0 == "-" ? nil : $0 }
    if let output { try confirmReplacing(output) }
    var parameters = invocation.arguments.filter { $0.key != "output" }
    if let output, let name = Self.fileExtension(of: output) {
      parameters.append(("output-extension", JSON(name)))
    }
    let answer = try call(JSON(parameters))
    if output == nil, options.json { return Output(output: answer.bytes + [UInt8(ascii: "\n")]) }
    let exported = Received<ExportedFile>(try answer.json)
    guard let content = exported.bytesOfFile else {
      throw APIError(code: "failed", message: "the exported file did not arrive whole")
    }
    let losses = exported.losses
    let note =
      losses.isEmpty || options.quiet
      ? "" : "The file does not keep \(SafeText.line(losses.joined(separator: ", ")))\n"
    guard let output else { return try print(content, notes: note) }
    if output.hasSuffix(".xcassets"), let archive = try? ZipArchive(content) {
      try unpack(archive, to: output)
    } else {
      try File.write(content, to: output)
    }
    if options.json {
      return Program.line([
        "file": JSON(output), "format": JSON(exported.format), "bytes": JSON(content.count),
        "dropped": JSON(losses.map { JSON($0) }),
      ])
    }
    let size = "\(content.count) bytes"
    let text = "Wrote \(SafeText.line(output)) (\(exported.format), \(size))\n"
    return Output("", notes: options.quiet ? "" : text + note)
  }

  /// Makes the folder that an archive holds, under the name that is wanted, whole or not at all.
  private func unpack(_ archive: ZipArchive, to output: String) throws(APIError) {
    guard !File.isFolder(output) else {
      throw APIError(
        code: "failed",
        message: "'\(output)' is there already",
        hint: "remove it first, or name another folder"
      )
    }
    let files: [ArchivedFile]
    do throws(FormatError) {
      files = try archive.files()
    } catch {
      throw APIError(code: error.code, message: error.message, hint: error.hint)
    }
    let contents = files.map { file in
      (path: file.path.split(separator: "/").dropFirst().joined(separator: "/"), bytes: file.bytes)
    }
    try File.makeFolder(output, with: contents)
  }

  /// Bytes for the standard output, unless they would garble a terminal.
  private func print(_ content: [UInt8], notes: String) throws(APIError) -> Output {
    let isText = String(validating: content, as: UTF8.self) != nil && !content.contains(0)
    guard isText || !environment.isOutputTerminal else {
      throw .usage("this format is no text", hint: "name a file with --output FILE")
    }
    return Output(output: content, notes: notes)
  }

  /// The part of the file's name behind its last dot.
  static func fileExtension(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let text = name[name.index(after: dot)...]
    return text.isEmpty ? nil : String(text)
  }

  /// The most bytes of colors that are read from the standard input.
  private static let lineLimit = 16 << 20

  /// Adds the colors of the standard input, as one edit.
  func runAddingLines() throws(APIError) -> Output {
    guard invocation["name"].isNull else {
      throw .usage(
        "NAME is for one color, not for those of the standard input",
        hint: "write each name behind its color and a tab"
      )
    }
    let lines = try readLines()
    return try show(try call(JSON(invocation.arguments + [("colors", lines.document)])))
  }

  /// Answers the command for each color of the standard input.
  func runForEachLine() throws(APIError) -> Output {
    guard invocation.arguments.count(where: { Self.standsForLines($0.value) }) == 1 else {
      throw .usage("the standard input can stand for one of the colors only")
    }
    let isList = invocation.command.view == .colors
    var documents: [JSON] = []
    for entry in try readLines().entries {
      let arguments = invocation.arguments.map { argument in
        Self.standsForLines(argument.value) ? (argument.key, JSON(entry.value)) : argument
      }
      let document = try call(JSON(arguments)).json
      // What is several colors already is one list with the others.
      documents +=
        isList ? Received(document).colors.map { $0.named(entry.name).json } : [document]
    }
    if options.json { return Program.line(["colors": JSON(documents)]) }
    let renderer = TextRenderer(presentation: presentation, invocation: invocation)
    if isList { return renderer.output(for: ["colors": JSON(documents)]) }
    // Facts of several lines are told apart by an empty one.
    let separator = invocation.command.traits.separatesLines ? Array("\n".utf8) : []
    let outputs = documents.map { renderer.output(for: $0).output }
    return Output(output: Array(outputs.joined(separator: separator)))
  }

  /// Returns whether an argument, or the only one of several, is -.
  fileprivate static func standsForLines(_ value: JSON) -> Bool { value == "-" || value == ["-"] }

  private func readLines() throws(APIError) -> ColorLines {
    try ColorLines(try program.console.readAll(limit: Self.lineLimit))
  }
}

extension Invocation {
  /// True if the color that it is about stands for those of the standard input.
  var isForEachLine: Bool {
    command.traits.lineParameters.contains { name in
      arguments.contains { $0.key == name && CommandRunner.standsForLines($0.value) }
    }
  }
}
