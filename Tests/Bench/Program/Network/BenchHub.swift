import PaletteClient
import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteNode
import PalettePlatform
import PaletteStore
import PaletteSync

/// The node that network workloads measure: a real one, with its own library and sockets.
///
///     hued-bench server --port PORT --db PATH --colors COLORS [--certificate FILE --key FILE]
///
/// The library is made anew in PATH.home. Clients on this machine learn from the folder
/// `/tmp/hued-bench-PORT` what a person would be told: tokens, and for clients that only count
/// frames, the file `hello`: what a viewer that already holds everything sends.
struct BenchHub {
  let port: UInt16
  let home: String
  private let certificate: (certificateFile: String, keyFile: String)?
  private let member = Viewer()
  /// Likewise, of everybody who looks at another palette.
  private let other = Viewer()
  private static let otherPalette = PaletteID(RecordID(high: 1, low: 3))

  /// The library of everybody who only counts frames.
  private struct Viewer {
    let secret: [UInt8]
    let library: RecordID
    let node: NodeID

    init() {
      var random = SystemRandomNumberGenerator()
      secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      library = RecordID(using: &random)
      node = NodeID(using: &random)
    }
  }

  static var palette: PaletteID { ChangeStore.benchPalette }

  init(_ words: WordArguments) throws {
    guard let port = UInt16(try words.text("--port")) else { throw BenchError("no such port") }
    self.port = port
    home = try words.text("--db") + ".home"
    certificate = (try? words.text("--certificate")).map { ($0, (try? words.text("--key")) ?? "") }
    let colors = BenchColor.colors(try words.number("--colors"))
    try? LibraryNotes.remove(home)
    let store = try ChangeStore(writing: LibraryFolder(home))
    try store.importColors(colors)
    try store.importColors(BenchColor.colors(1), into: Self.otherPalette)
    try Self.admit(member, Grant(.viewer, on: Self.palette), store)
    try Self.admit(other, Grant(.viewer, on: Self.otherPalette), store)
  }

  private static func admit(_ member: Viewer, _ grant: Grant, _ store: ChangeStore) throws {
    try store.members.offer(grant, code: member.secret, codeExpiresMilliseconds: nil)
    let introduction = Login(
      secret: member.secret,
      code: member.secret,
      library: member.library,
      node: member.node
    )
    _ = try store.admission.admit(introduction).get()
  }

  /// Serves until SIGTERM.
  func run() throws {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let node = try Self.start(home, port: port, certificate)
    try leaveNotes()
    print("READY")
    fflush(nil)
    var signal: CInt = 0
    sigwait(&signals, &signal)
    node.stop()
    try LibraryNotes.remove(LibraryNotes.folder(port))
  }

  static func start(
    _ home: String,
    port: UInt16,
    _ certificate: (certificateFile: String, keyFile: String)? = nil
  ) throws -> Node {
    var settings = NodeSettings()
    settings.certificate = certificate
    settings.listen = try ListenAddress("127.0.0.1:\(port)")
    // The thousand clients of a run are one member.
    settings.connectionsOfMember = 10_000
    settings.log = { line in
      guard line.level <= .warning else { return }
      let text = "\(line.message) \(line.fields.map { "\($0.key)=\($0.value)" })\n"
      write(2, text, text.utf8.count)
    }
    return try Node(at: LibraryLocation(home: home, configurationFile: ""), settings: settings)
  }

  private func leaveNotes() throws {
    let notes = LibraryNotes.folder(port)
    try? LibraryNotes.remove(notes)
    mkdir(notes, 0o700)
    for role in ["viewer", "editor"] {
      try LibraryNotes.write(Array(try token(role: role).utf8), to: "\(notes)/\(role)")
    }
    // A writer has no TLS of its own: it comes in through the home's socket then.
    if certificate != nil { try LibraryNotes.write(Array(home.utf8), to: "\(notes)/home") }
    try LibraryNotes.write(try hello(member, Self.palette), to: "\(notes)/hello")
    try LibraryNotes.write(
      try hello(other, Self.otherPalette),
      to: "\(notes)/hello-elsewhere"
    )
  }

  private func call(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
    let client = LibraryClient(at: LibraryLocation(home: home, configurationFile: ""))
    return try client.call(Request(method: method, parameters: parameters)).json
  }

  private func token(role: String) throws -> String {
    try call("token", ["role": JSON(role)])["token"].stringValue ?? ""
  }

  /// The frames of a viewer whose library holds what this one does: a hello, room for whatever
  /// comes, and the digest.
  private func hello(_ member: Viewer, _ id: PaletteID) throws -> [UInt8] {
    let palettes = try call("palettes")["palettes"].arrayValue ?? []
    let palette = palettes.first { $0["id"].stringValue == id.description }
    guard let digest = palette?["digest"].stringValue.flatMap({ Digest($0) }) else {
      throw BenchError("the palette has no digest")
    }
    let entry = Frame.Entry(palette: id, digest: digest)
    let hello = Hello(
      node: member.node,
      library: member.library,
      milliseconds: UInt64(systemMilliseconds()),
      secret: member.secret
    )
    let frames: [Frame] = [.hello(hello), .credit(1 << 40), .summary([entry].digest)]
    return frames.flatMap { frame in
      let bytes = frame.encoded
      let count = UInt32(bytes.count).littleEndian
      return withUnsafeBytes(of: count) { Array($0) } + bytes
    }
  }
}
