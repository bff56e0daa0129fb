import Foundation
import Testing
import WebSocket

struct UnixSocketTests {
  /// A folder whose path is longer than a socket address, open as a descriptor.
  private func withDeepFolder(_ body: (_ descriptor: Int32, _ path: String) throws -> Void) throws {
    try withFolder { folder in
      let deep = folder + String(repeating: "/a-rather-long-name", count: 10)
      try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
      let descriptor = open(deep, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(descriptor) }
      try body(descriptor, deep)
    }
  }

  @Test func servesAnywhere() throws {
    try withDeepFolder { descriptor, folder in
      let path = "/proc/self/fd/\(descriptor)/node.sock"
      let listener = ListenerConfiguration(endpoint: .unix(path: path), originPolicy: nil)
      try withLoop(listener: listener) { server in
        let file = "\(folder)/node.sock"
        var status = stat()
        #expect(lstat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        try withLoop(listener: nil, behavior: TestHandler.Behavior()) { client in
          let id = try client.connect(
            ConnectRequest(
              endpoint: .unix(path: path),
              path: "/chat",
              subprotocol: "chat.v1"
            )
          )
          _ = try client.log.connection()
          try client.onLoop { #expect($0.send([65], as: .text, to: id) == .queued) }
          #expect(try client.log.message() == Message(text: "A"))
        }
        let info = try server.log.connection()
        #expect(info.peer.userID == getuid() && info.peer.address.isEmpty)
        // The file of a live loop is not taken over.
        #expect(throws: WebSocketError.self) { try TestLoop(listener: listener) }
        #expect(lstat(file, &status) == 0)
      }
      #expect(access("\(folder)/node.sock", F_OK) != 0)
    }
  }

  @Test func saysThatNobodyListens() throws {
    try withFolder { folder in
      try withLoop(listener: nil) { client in
        for path in ["\(folder)/none.sock", "\(folder)/" + String(repeating: "x", count: 200)] {
          let id = try client.connect(
            ConnectRequest(endpoint: .unix(path: path), path: "/", subprotocol: nil)
          )
          #expect(try client.log.failure(of: id).kind == .unreachable)
        }
      }
    }
  }

  @Test func servesSeveralListenersAtOnce() throws {
    try withFolder { folder in
      let identity = try TLSIdentity.makeSelfSigned(in: folder)
      let pin = try identity.validate()
      let ports = Handover<[UInt16]>()
      let log = EventLog()
      let thread = try LoopThread(TestLoop.configuration) { loop in
        let plain = try loop.listen(
          ListenerConfiguration(endpoint: .tcp(host: "127.0.0.1", port: 0))
        )
        let secure = try loop.listen(
          ListenerConfiguration(endpoint: .tcp(host: "127.0.0.1", port: 0), identity: identity)
        )
        try loop.listen(
          ListenerConfiguration(endpoint: .unix(path: "\(folder)/s"), originPolicy: nil)
        )
        ports.set([plain.port, secure.port])
        return TestHandler(loop, log, .echo)
      }
      defer {
        thread.beginShutdown()
        thread.join()
      }
      let numbers = try #require(ports.get())
      try withLoop(listener: nil) { client in
        _ = try client.connect(
          ConnectRequest(
            endpoint: .tcp(host: "127.0.0.1", port: numbers[0]),
            path: "/open",
            subprotocol: nil
          )
        )
        _ = try client.connect(
          ConnectRequest(
            endpoint: .tcp(host: "localhost", port: numbers[1]),
            trust: .pin(pin),
            path: "/open",
            subprotocol: nil
          )
        )
        _ = try client.connect(
          ConnectRequest(endpoint: .unix(path: "\(folder)/s"), path: "/open", subprotocol: nil)
        )
        let infos = try (0..<3).map { try log.connection($0) }
        #expect(Set(infos.compactMap { $0.listener?.rawValue }) == [1, 2, 3])
        #expect(infos.count { $0.peer.isEncrypted } == 1)
      }
    }
  }
}
