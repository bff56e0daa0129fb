internal import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PalettePlatform

/// Links a file: what it is is found out here, so that a node parses nothing while it serves others.
struct LinkCommand {
  private let request: Request

  /// The time that file and palette may take to say the same before the answer tells how far they
  /// are.
  private static let patienceMilliseconds = 10_000
  private static let stepMilliseconds = 15
  /// The most bytes of a file that is linked.
  private static let byteLimit = 64 << 20

  /// Adds to the arguments of the command what the file says.
  ///
  /// - Throws: Why the file cannot be read, or is in no format.
  init(_ request: Request) throws(APIError) {
    let file = request.parameters["file"].stringValue ?? ""
    guard let bytes = try Self.read(file), bytes.contains(where: { $0 > 0x20 }) else {
      self.request = request
      return
    }
    var parameters = JSONObject()
    for key in request.parameters.keys { parameters[key] = request.parameters[key] }
    do throws(FormatError) {
      let (format, contents) = try FormatRegistry.standard.read(
        bytes,
        named: file,
        as: request.parameters["format"].stringValue
      )
      parameters["format"] = .string(format.name)
      if let title = contents.title { parameters["title"] = .string(title) }
    } catch {
      throw APIError(error)
    }
    self.request = Request(method: request.method, parameters: .object(parameters))
  }

  /// The bytes of a file; nil where there is none, or something else, which the node refuses.
  private static func read(_ path: String) throws(APIError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      guard errno != ENOENT, errno != ENXIO, errno != ENOTDIR else { return nil }
      throw APIError(
        code: "failed",
        message: "'\(path)' cannot be read: \(Platform.failureReason)"
      )
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard let bytes = Platform.readAll(descriptor, limit: byteLimit) else {
      throw APIError(
        code: "failed",
        message: "'\(path)' cannot be read: \(Platform.failureReason)"
      )
    }
    guard bytes.count <= byteLimit else {
      throw APIError(
        code: "too-large",
        message: "'\(path)' is larger than \(byteLimit >> 20) MiB"
      )
    }
    return bytes
  }

  /// Links, and waits until file and palette say the same, or it is known why they cannot.
  func carryOut(
    _ ask: (Request) throws(APIError) -> any Answer
  ) throws(APIError) -> any Answer {
    let first = try ask(request)
    let file = Received<LinkAnswer>(try first.json).file
    var waited = 0
    while waited < Self.patienceMilliseconds {
      let links = Received<LinksAnswer>(try ask(Request(method: Command.links.name)).json).links
      guard let link = links.first(where: { $0.file == file }) else { break }
      if link.isSettled { return link.json }
      usleep(UInt32(Self.stepMilliseconds * 1_000))
      waited += Self.stepMilliseconds
    }
    return first
  }
}
