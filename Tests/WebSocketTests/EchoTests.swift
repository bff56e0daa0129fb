import Testing
import WebSocket

struct EchoTests {
  @Test func echoesText() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      let head = try client.upgrade()
      #expect(head.contains("Sec-WebSocket-Protocol: chat.v1\r\n"))
      try client.send(1, Array("grüße".utf8))
      #expect(try client.readFrame() == RawClient.Frame(opcode: 1, payload: Array("grüße".utf8)))
      let info = try loop.log.connection()
      #expect(info.role == .server && info.path == "/chat" && info.subprotocol == "chat.v1")
      #expect(info.headers.host == "127.0.0.1" && info.peer.address == "127.0.0.1")
    }
  }

  @Test func echoesBinary() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      let bytes = (0..<60_000).map { UInt8(truncatingIfNeeded: $0) }
      try client.send(2, bytes)
      #expect(try client.readMessage() == RawClient.Frame(opcode: 2, payload: bytes))
    }
  }

  @Test func echoesNothing() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      try client.send(2, [])
      #expect(try client.readFrame() == RawClient.Frame(opcode: 2, payload: []))
    }
  }

  @Test func joinsAndSplitsFragments() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade("/echo", subprotocol: nil)
      let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let pieces = stride(from: 0, to: bytes.count, by: 50_000).map {
        Array(bytes[$0..<min($0 + 50_000, bytes.count)])
      }
      for (index, piece) in pieces.enumerated() {
        try client.send(index == 0 ? 2 : 0, piece, isFinal: index == pieces.count - 1)
        // A ping may stand between fragments.
        if index == 3 { try client.send(9, [7]) }
      }
      var frames: [RawClient.Frame] = []
      var received: [UInt8] = []
      var pongs = 0
      repeat {
        frames.append(try client.readFrame())
        guard let last = frames.last else { return }
        if last.opcode == 10 { pongs += 1 } else { received += last.payload }
      } while frames.last?.isFinal == false || frames.last?.opcode == 10
      #expect(received == bytes)
      #expect(pongs == 1)
    }
  }

  /// Small messages that wait together leave in one piece, large ones in fragments.
  @Test func sendsAnyMixtureOfSizes() throws {
    let sizes = [0, 1, 125, 126, 127, 5, 16_384, 16_385, 65_535, 65_536, 0, 70_000, 3, 200_000, 1]
    try withLoop { loop in
      try withLoop(listener: nil, behavior: TestHandler.Behavior()) { client in
        let raw = try RawClient(port: loop.port)
        try raw.upgrade("/echo", subprotocol: nil)
        let first = try loop.log.connection().id
        _ = try client.connect(
          ConnectRequest(
            endpoint: .tcp(host: "127.0.0.1", port: loop.port),
            path: "/echo",
            subprotocol: "echo",
            messageLimit: 1 << 20
          )
        )
        let second = try loop.log.connection(1).id
        _ = try client.log.connection()
        let messages = (0..<20).flatMap { round in
          sizes.enumerated().map { index, size in
            Message(
              kind: index % 2 == 0 ? .text : .binary,
              bytes: [UInt8](repeating: UInt8(32 + (index + round) % 90), count: size)
            )
          }
        }
        try loop.onLoop { loop in
          for message in messages {
            let failures = loop.broadcast(message.bytes, as: message.kind, to: [first, second])
            #expect(failures.isEmpty)
          }
        }
        for (index, message) in messages.enumerated() {
          let frame = try raw.readMessage()
          #expect(frame.opcode == (message.kind == .text ? 1 : 2) && frame.payload == message.bytes)
          #expect(try client.log.message(index) == message)
        }
      }
    }
  }

  @Test func answersEveryMessageInOrder() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      var burst: [UInt8] = []
      for index in 0..<1000 { burst += RawClient.frame(1, Array("\(index)".utf8)) }
      try client.send(burst)
      for index in 0..<1000 {
        #expect(try client.readFrame().payload == Array("\(index)".utf8))
      }
    }
  }
}
