import CWebSockets
import PalettePlatform

/// The table of subprotocols that libwebsockets reads for as long as its context exists.
final class ProtocolTable {
  let entries: UnsafeMutablePointer<lws_protocols>
  private let count: Int
  private var names: [UnsafeMutablePointer<CChar>] = []

  /// The most bytes that libwebsockets reads at once from a server.
  static let readSize = 16 * 1024
  /// The same of a client, whose connection keeps a buffer of this size for as long as it lasts.
  ///
  /// Only what came along with its request is read there; `FrameParser` reads all else.
  static let servedReadSize = 512
  /// The most bytes that one write gives to a socket; longer messages leave in fragments.
  static let writeSize = 64 * 1024

  /// Builds the table: an entry for HTTP and WebSockets without subprotocol, then one each.
  init(
    subprotocols: [String],
    readSize: Int = ProtocolTable.readSize,
    callback:
      @escaping @convention(c) (
        OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?,
        Int
      ) -> Int32
  ) {
    // A name that no client can offer: it is not a token.
    let all = ["(none)"] + subprotocols
    count = all.count + 1
    entries = .allocate(capacity: count)
    entries.initialize(repeating: lws_protocols(), count: count)
    for (index, name) in all.enumerated() {
      let copy = strdup(name)
      if let copy { names.append(copy) }
      entries[index].name = UnsafePointer(copy)
      entries[index].callback = callback
      entries[index].rx_buffer_size = readSize
      entries[index].tx_packet_size = Self.writeSize
    }
  }

  deinit {
    entries.deallocate()
    for name in names { free(name) }
  }
}
