import PaletteCommands
import PaletteFormats

extension CommandRunner {
  /// The most bytes that one imported file may have.
  static let importLimit = 64 << 20

  /// Reads the files here and lets the API import them; one that cannot be read is passed on as such.
  func runImport() throws(APIError) -> Output {
    let names = (invocation["files"].arrayValue ?? []).compactMap(\.stringValue)
    guard names.count(where: { $0 == "-" }) < 2 else {
      throw .usage("the standard input can be imported only once")
    }
    var files: [JSON] = []
    for name in names { files.append(read(name)) }
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
    let document = try answer.json
    guard let content = document["bytes"].base64Bytes else {
      throw APIError(code: "failed", message: "the exported file did not arrive whole")
    }
    let losses = (document["dropped"].arrayValue ?? []).compactMap(\.stringValue)
    let note =
      losses.isEmpty || options.quiet
      ? "" : "The file does not keep \(SafeText.line(losses.joined(separator: ", ")))\n"
    guard let output else { return try print(content, notes: note) }
    try File.write(content, to: output)
    let format = document["format"]
    if options.json {
      return Program.line([
        "file": JSON(output), "format": format ?? .null, "bytes": JSON(content.count),
        "dropped": JSON(losses.map { JSON($0) }),
      ])
    }
    let size = "\(content.count) bytes"
    let text = "Wrote \(SafeText.line(output)) (\(format.stringValue ?? ""), \(size))\n"
    return Output("", notes: options.quiet ? "" : text + note)
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
}
