import PaletteClient
import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteMerge
import PaletteNode
import PalettePlatform
import PaletteStore

/// A library with or without a node that runs, as the workloads with two of them need it.
final class BenchNode {
  let location: LibraryLocation
  private var node: Node?

  init(at folder: LibraryFolder) {
    location = LibraryLocation(
      home: folder.path,
      configurationFile: "\(folder.path)/config.json"
    )
  }

  /// The port on which the node listens.
  private(set) var port: UInt16 = 0

  /// Starts the node, on the port that it had before if it ran before.
  func start() throws {
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:\(port)")
    let node = try Node(at: location, settings: settings)
    self.node = node
    port = node.url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
  }

  func stop() {
    node?.stop()
    node = nil
  }

  /// Carries out a command, through the node if it runs.
  @discardableResult
  func call(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
    let request = Request(method: method, parameters: parameters)
    return try LibraryClient(at: location).call(request).json
  }

  /// Waits until the committed digests of both libraries are equal to one that `isDone` accepts.
  ///
  /// Readers see what is durable, without a part of the nodes' work.
  ///
  /// - Parameters:
  ///   - readers: The libraries.
  ///   - before: The digest of the first one, which is to become another.
  ///   - isDone: Whether a library holds all that is waited for.
  /// - Throws: `BenchError` when that takes minutes, or `StoreError`.
  static func waitForAgreement(
    _ readers: (ChangeStore, ChangeStore),
    before: Digest,
    isDone: (ChangeStore) throws -> Bool
  ) throws {
    let end = Platform.uptime + 300
    while Platform.uptime < end {
      // The nodes have enough to do: the second library is asked when there is something to compare.
      let digest = try readers.0.digest()
      if digest != before, try readers.1.digest() == digest, try isDone(readers.0) { return }
      usleep(1_000)
    }
    throw BenchError("the libraries did not become equal within 300 seconds")
  }

  /// The bytes that crossed this process's TCP connections to a port, both ways.
  static func wireBytes(to port: UInt16) -> Int {
    var total = 0
    for descriptor in Int32(3)..<1_024 {
      var peer = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isConnected = withUnsafeMutablePointer(to: &peer) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getpeername(descriptor, $0, &size) == 0
        }
      }
      guard isConnected, peer.sin_family == AF_INET, UInt16(bigEndian: peer.sin_port) == port else {
        continue
      }
      // Of `struct tcp_info`: bytes acknowledged at 120, bytes received at 128.
      var info = [UInt64](repeating: 0, count: 32)
      var length = socklen_t(256)
      guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else {
        continue
      }
      total += Int(info[15] + info[16])
    }
    return total
  }
}
