import Testing
import WebSocket

struct BackpressureTests {
  @Test func boundsTheQueueOfASlowReader() throws {
    try withLoop { loop in
      let slow = try RawClient(port: loop.port, receiveBuffer: 65_536)
      try slow.upgrade()
      let id = try loop.log.connection().id
      let message = [UInt8](repeating: 1, count: 60_000)
      let count = try loop.onLoop { loop in
        var count = 0
        while count < 1000, loop.send(message, as: .binary, to: id) == .queued { count += 1 }
        #expect(loop.send(message, as: .binary, to: id) == .full)
        #expect(loop.queuedBytes(of: id) <= Route.usualQueueLimit)
        return count
      }
      #expect(count >= Route.usualQueueLimit / message.count)
      // The others are not held up.
      let other = try RawClient(port: loop.port)
      try other.upgrade()
      try other.send(1, [65])
      #expect(try other.readFrame().payload == [65])
      for _ in 0..<count { #expect(try slow.readMessage().payload == message) }
      try loop.log.wait(for: "room") { events in
        events.first { if case .drained(id) = $0 { true } else { false } }.map { _ in }
      }
      try loop.onLoop { #expect($0.send([66], as: .text, to: id) == .queued) }
      #expect(try slow.readFrame().payload == [66])
    }
  }

  @Test func longFramesLeaveWhileTheirSenderGoesOn() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      let id = try loop.log.connection().id
      try client.send(1, [65])
      #expect(try client.readFrame().payload == [65])
      let reader = EventLog()
      let sender = EventLog()
      let wasRead = Handover<Bool>()
      loop.thread.perform { loop, _ in
        for byte in 1...3 as ClosedRange<UInt8> {
          loop.send([UInt8](repeating: byte, count: 40_000), as: .binary, to: id)
        }
        // Until the client has them, this thread does nothing else.
        wasRead.set((try? reader.wait(for: "the reader") { $0.first.map { _ in true } }) ?? false)
        sender.append(.note("done"))
      }
      for byte in 1...3 as ClosedRange<UInt8> {
        #expect(try client.readMessage().payload == [UInt8](repeating: byte, count: 40_000))
      }
      reader.append(.note("read"))
      #expect(try sender.wait(for: "the sender") { _ in wasRead.get() })
    }
  }

  @Test func whoeverIsCongestedHearsOfRoom() throws {
    try withLoop { loop in
      let slow = try RawClient(port: loop.port, receiveBuffer: 65_536)
      try slow.upgrade()
      let id = try loop.log.connection().id
      let message = [UInt8](repeating: 1, count: 60_000)
      let count = try loop.onLoop { loop in
        var count = 0
        while !loop.isCongested(id), loop.send(message, as: .binary, to: id) == .queued {
          count += 1
        }
        #expect(loop.isCongested(id))
        return count
      }
      for _ in 0..<count { #expect(try slow.readMessage().payload == message) }
      try loop.log.wait(for: "room") { events in
        events.first { if case .drained(id) = $0 { true } else { false } }.map { _ in }
      }
      try loop.onLoop { #expect(!$0.isCongested(id)) }
    }
  }

  /// Sends whenever there is room, as a long catch-up does.
  @Test func streamsThroughASmallQueue() throws {
    let total = 400
    var behavior = TestHandler.Behavior()
    let next = Handover<Int>()
    next.set(0)
    let fill: @Sendable (EventLoop, ConnectionID) -> Void = { loop, id in
      while let index = next.get(), index < total {
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 50_000)
        guard loop.send(bytes, as: .binary, to: id) == .queued else { return }
        next.set(index + 1)
      }
    }
    behavior.connected = { loop, info in fill(loop, info.id) }
    behavior.drained = fill
    try withLoop(behavior: behavior) { loop in
      let client = try RawClient(port: loop.port, receiveBuffer: 65_536)
      try client.upgrade()
      for index in 0..<total {
        let frame = try client.readMessage()
        #expect(frame.payload.count == 50_000)
        #expect(frame.payload.first == UInt8(truncatingIfNeeded: index))
      }
    }
  }

  @Test func refusesAMessageThatNeverFits() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      let id = try loop.log.connection().id
      let bytes = [UInt8](repeating: 1, count: Route.usualQueueLimit + 1)
      try loop.onLoop { #expect($0.send(bytes, as: .binary, to: id) == .full) }
    }
  }

  @Test func sendsOneMessageToMany() throws {
    try withLoop { loop in
      let clients = try (0..<20).map { _ in try RawClient(port: loop.port) }
      for client in clients { try client.upgrade() }
      let last = try loop.log.connection(19).id
      let payload = (0..<30_000).map { UInt8(truncatingIfNeeded: $0 &* 3) }
      try loop.onLoop { loop in
        let ids = loop.openConnections
        #expect(ids.count == 20)
        let gone = ConnectionID(rawValue: 9999)
        #expect(loop.broadcast(payload, as: .binary, to: ids + [gone]) == [gone: .closed])
        #expect(loop.broadcast([66], as: .text, to: [last]).isEmpty)
      }
      for client in clients { #expect(try client.readMessage().payload == payload) }
      #expect(try clients.last?.readFrame().payload == [66])
    }
  }

  /// A client masks what it sends, so it must not do that in the shared bytes.
  @Test func keepsSharedBytesIntactWhenMasking() throws {
    try withLoop { server in
      try withLoop(listener: nil) { client in
        let request = ConnectRequest(
          endpoint: .tcp(host: "127.0.0.1", port: server.port),
          path: "/chat",
          subprotocol: "chat.v1"
        )
        let ids = [try client.connect(request), try client.connect(request)]
        _ = try client.log.connection(1)
        let payload = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        try client.onLoop { #expect($0.broadcast(payload, as: .binary, to: ids).isEmpty) }
        #expect(try server.log.message(1).bytes == payload)
        #expect(try server.log.message(0).bytes == payload)
      }
    }
  }

  /// What leaves at once, what waits for the loop, and what a full socket takes half of, stay in order.
  @Test(arguments: [1, 2, 5])
  func keepsTheOrderHoweverMessagesLeave(inOneRound: Int) throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port, receiveBuffer: 4_096)
      try client.upgrade()
      let id = try loop.log.connection().id
      var sent: [[UInt8]] = []
      var random = SystemRandomNumberGenerator()
      for round in 0..<400 {
        let messages = (0..<inOneRound).map { _ in
          let count = [1, 125, 126, 16_000, 40_000].randomElement(using: &random) ?? 1
          return [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: count)
        }
        let taken = try loop.onLoop { loop in
          messages.filter { loop.send($0, as: .binary, to: id) == .queued }
        }
        sent += taken
      }
      #expect(!sent.isEmpty)
      for message in sent { #expect(try client.readMessage().payload == message) }
    }
  }
}
