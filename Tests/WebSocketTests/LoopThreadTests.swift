import Foundation
import Testing

@testable import WebSocket

struct LoopThreadTests {
  @Test func runsClosuresInOrder() async throws {
    let loop = try TestLoop(listener: nil)
    let order = Handover<[Int]>()
    order.set([])
    for index in 0..<1000 {
      loop.thread.perform { _, _ in order.set((order.get() ?? []) + [index]) }
    }
    let count = try await loop.thread.call { _, _ in order.get()?.count }
    #expect(count == 1000)
    #expect(order.get() == Array(0..<1000))
    await loop.thread.shutdown()
  }

  @Test func passesErrorsOn() async throws {
    let loop = try TestLoop(listener: nil)
    await #expect(throws: TimedOut.self) {
      try await loop.thread.call { _, _ in throw TimedOut(description: "x") }
    }
    await loop.thread.shutdown()
  }

  @Test func boundsItsInbox() throws {
    var configuration = TestLoop.configuration
    configuration.inboxCapacity = 3
    let loop = try TestLoop(configuration, listener: nil)
    let gate = DispatchSemaphore(value: 0)
    let entered = DispatchSemaphore(value: 0)
    loop.thread.perform { _, _ in
      entered.signal()
      gate.wait()
    }
    entered.wait()
    #expect(
      (0..<5).map { _ in loop.thread.perform { _, _ in } } == [true, true, true, false, false]
    )
    gate.signal()
    loop.stop()
  }

  /// Work beside the loop is done in order, holds up nothing, and its results come back to the loop.
  @Test func doesLongWorkBesideTheLoop() async throws {
    let loop = try TestLoop(listener: nil)
    let gate = DispatchSemaphore(value: 0)
    let order = Handover<[Int]>()
    order.set([])
    let taken = try await loop.thread.call { loop, _ in
      (0..<3).map { number in
        loop.perform(holding: 1) {
          gate.wait()
          return number
        } then: { result in
          order.set((order.get() ?? []) + [result])
        }
      }
    }
    #expect(taken == [true, true, true])
    // The loop goes on meanwhile.
    #expect(try await loop.thread.call { _, _ in order.get() } == [])
    for _ in 0..<3 { gate.signal() }
    try eventually("all work is done") { order.get() == [0, 1, 2] }
    await loop.thread.shutdown()
  }

  @Test func slowWorkHoldsUpNoOther() async throws {
    let loop = try TestLoop(listener: nil)
    let gate = DispatchSemaphore(value: 0)
    let done = Handover<[String]>()
    done.set([])
    _ = try await loop.thread.call { loop, _ in
      loop.perform(holding: 0, isSlow: true) {
        gate.wait()
      } then: { _ in
        done.set((done.get() ?? []) + ["slow"])
      } && loop.perform(holding: 0, {}, then: { _ in done.set((done.get() ?? []) + ["other"]) })
    }
    try eventually("the other work is done") { done.get() == ["other"] }
    gate.signal()
    try eventually("the slow work is done") { done.get() == ["other", "slow"] }
    await loop.thread.shutdown()
  }

  @Test func boundsTheWorkThatWaits() async throws {
    let loop = try TestLoop(listener: nil)
    let gate = DispatchSemaphore(value: 0)
    let limit = BackgroundWorker.byteLimit
    let taken = try await loop.thread.call { loop, _ in
      [limit + 1, 1, limit].map { bytes in
        loop.perform(holding: bytes) {
          gate.wait()
        } then: { _ in
        }
      }
    }
    #expect(taken == [true, false, false])
    gate.signal()
    let isTaken = Handover<Bool>()
    try eventually("there is room again") {
      loop.thread.perform { loop, _ in
        if loop.perform(holding: 1, {}, then: { _ in }) { isTaken.set(true) }
      }
      return isTaken.get() == true
    }
    await loop.thread.shutdown()
  }

  @Test func refusesCallsAfterItsEnd() async throws {
    let loop = try TestLoop(listener: nil)
    async let first: Void = loop.thread.shutdown()
    async let second: Void = loop.thread.shutdown()
    _ = await (first, second)
    #expect(!loop.thread.perform { _, _ in })
    await #expect(throws: WebSocketError.self) { try await loop.thread.call { _, _ in 1 } }
  }

  @Test func reportsAFailedStart() throws {
    let taken = try TestLoop()
    let listener = ListenerConfiguration(endpoint: .tcp(host: "127.0.0.1", port: taken.port))
    let error = #expect(throws: WebSocketError.self) { try TestLoop(listener: listener) }
    #expect(error?.code == .addressUnavailable)
    taken.stop()
  }

  @Test func tellsEveryoneThatItGoes() throws {
    let loop = try TestLoop()
    let clients = try (0..<10).map { _ in try RawClient(port: loop.port) }
    for client in clients { try client.upgrade() }
    let idle = try RawClient(port: loop.port)
    loop.thread.beginShutdown(code: .goingAway, reason: "bye")
    for client in clients {
      let close = try client.readFrame()
      #expect(close.closeCode == 1001 && close.payload.dropFirst(2).elementsEqual("bye".utf8))
      try client.sendClose(1001)
    }
    #expect(try idle.readToEnd().isEmpty)
    loop.thread.join()
    let ends = loop.log.all.filter {
      if case .closed(_, let event) = $0 { event.code == .goingAway } else { false }
    }
    #expect(ends.count == 10)
    #expect(throws: RawClient.Failure.self) { try RawClient(port: loop.port) }
  }

  @Test func waitsNoLongerThanItShould() throws {
    let loop = try TestLoop()
    let client = try RawClient(port: loop.port)
    try client.upgrade()
    let id = try loop.log.connection().id
    loop.thread.beginShutdown(within: .milliseconds(100))
    loop.thread.join()
    // The peer never answered the close.
    #expect(try loop.log.end(of: id).code == .goingAway)
  }

  @Test func cancelsWhatIsBeingConnected() throws {
    let loop = try TestLoop(listener: nil)
    let server = try RawServer()
    let id = try loop.connect(
      ConnectRequest(
        endpoint: .tcp(host: "127.0.0.1", port: server.port),
        path: "/",
        subprotocol: nil
      )
    )
    let connection = try server.accept()
    _ = try connection.readHead()
    loop.stop()
    #expect(try loop.log.failure(of: id).kind == .cancelled)
  }

  @Test func runsTimersInOrder() throws {
    try withLoop(listener: nil) { loop in
      let log = loop.log
      try loop.onLoop { loop in
        loop.schedule(after: .milliseconds(40)) { log.append(.note("late")) }
        let never = loop.schedule(after: .milliseconds(20)) { log.append(.note("never")) }
        loop.schedule(after: .milliseconds(10)) { log.append(.note("early")) }
        loop.schedule(after: .zero) {
          log.append(.note("now"))
          loop.cancel(never)
        }
      }
      let notes = try log.wait(for: "the last timer") { events in
        let notes = events.compactMap { if case .note(let text) = $0 { text } else { nil } }
        return notes.last == "late" ? notes : nil
      }
      #expect(notes == ["now", "early", "late"])
    }
  }

  @Test func leaksNothing() throws {
    try withLoop { loop in
      for _ in 0..<10 {
        let clients = try (0..<50).map { _ in try RawClient(port: loop.port) }
        for client in clients { try client.upgrade() }
        for (index, client) in clients.enumerated() where index % 2 == 0 {
          try client.sendClose(1000)
        }
      }
      try eventually("the end of all connections") {
        try loop.onLoop { $0.connectionCount } == 0
      }
      #expect(try loop.onLoop { $0.timerCount } <= 2)
      // This process has other sockets too: those of this server know its port.
      #expect(Self.sockets(onPort: loop.port) == 1)
      // The handler hears of an end only once libwebsockets is left, which may be after all of this.
      let ends = try loop.log.wait(for: "the last end") { events in
        let ends = events.count { if case .closed = $0 { true } else { false } }
        return ends >= 500 ? ends : nil
      }
      #expect(ends == 500)
    }
  }

  private static func sockets(onPort port: UInt16) -> Int {
    (0..<4096 as Range<Int32>).count { SocketAddress.local(of: $0)?.port == port }
  }
}
