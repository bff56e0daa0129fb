import Testing

@testable import WebSocket

struct UnauthenticatedTests {
  /// A listener that lets so many come from one loopback address without showing who they are.
  private func listener(_ limit: Int?) -> ListenerConfiguration {
    ListenerConfiguration(
      endpoint: .tcp(host: "127.0.0.1", port: 0),
      unauthenticatedLimits: UnauthenticatedLimits(perAddress: 1, perLoopbackAddress: limit)
    )
  }

  private func refusals(_ loop: TestLoop) -> [ConnectionRefusal] {
    loop.log.all.compactMap { event in
      if case .refused("127.0.0.1", let reason) = event { reason } else { nil }
    }
  }

  private func waitForCount(_ count: Int, _ loop: TestLoop) throws {
    try eventually("\(count) connections") { try loop.onLoop { $0.connectionCount } == count }
  }

  @Test func remembersAges() {
    var table = UnauthenticatedConnections()
    let ids = (1...1000).map { ConnectionID(rawValue: $0) }
    for (index, id) in ids.enumerated() { table.add(id, from: index % 2 == 0 ? "a" : "b") }
    #expect(table.count == 1000 && table.count(from: "a") == 500)
    #expect(table.oldest == ids[0] && table.oldest(from: "b") == ids[1])
    for id in ids.dropFirst(2).dropLast(2) { table.remove(id) }
    table.remove(ids[0])
    table.remove(ids[0])
    #expect(table.oldest == ids[1] && table.oldest(from: "a") == ids[998])
    #expect(table.contains(ids[999]) && !table.contains(ids[500]))
    for id in ids { table.remove(id) }
    #expect(table.oldest == nil && table.count == 0 && table.count(from: "a") == 0)
  }

  @Test func theOldestOfAnAddressMakesRoom() throws {
    try withLoop(listener: listener(3)) { loop in
      let clients = try (0..<5).map { index in
        let client = try RawClient(port: loop.port)
        try waitForCount(min(index + 1, 3), loop)
        return client
      }
      for client in clients.prefix(2) { #expect(try client.readToEnd().isEmpty) }
      #expect(refusals(loop) == [.address, .address])
      // The others are served.
      for client in clients.suffix(3) {
        try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readHead().hasPrefix("HTTP/1.1 404"))
      }
    }
  }

  @Test func whoeverIsAdmittedDoesNotCount() throws {
    try withLoop(listener: listener(1)) { loop in
      let clients = try (0..<4).map { _ in
        let client = try RawClient(port: loop.port)
        try client.upgrade()
        return client
      }
      for client in clients {
        try client.send(1, [65])
        #expect(try client.readFrame().payload == [65])
      }
      #expect(refusals(loop).isEmpty)
    }
  }

  @Test func whereThereIsAGreetingItIsAwaited() throws {
    try withLoop(listener: listener(1)) { loop in
      let known = try RawClient(port: loop.port)
      try known.upgrade("/greet", subprotocol: "greet.v1")
      let id = try loop.log.connection().id
      try loop.onLoop { $0.keep(id) }
      let unknown = try RawClient(port: loop.port)
      try unknown.upgrade("/greet", subprotocol: "greet.v1")
      let last = try RawClient(port: loop.port)
      _ = try unknown.readToEnd()
      #expect(refusals(loop) == [.address])
      try known.send(1, [65])
      #expect(try known.readFrame().payload == [65])
      withExtendedLifetime(last) {}
    }
  }

  @Test func boundsThemInAll() throws {
    var configuration = TestLoop.configuration
    configuration.unauthenticatedLimit = 2
    try withLoop(configuration, listener: listener(nil)) { loop in
      let clients = try (0..<3).map { index in
        let client = try RawClient(port: loop.port)
        try waitForCount(min(index + 1, 2), loop)
        return client
      }
      #expect(try clients[0].readToEnd().isEmpty)
      #expect(refusals(loop) == [.unauthenticated])
    }
  }

  @Test func keepsTheLastDescriptorsForUnixSockets() throws {
    var configuration = TestLoop.configuration
    // One is kept.
    configuration.descriptorLimit = 4
    try withLoop(configuration, listener: listener(nil)) { loop in
      func open() throws -> RawClient {
        let client = try RawClient(port: loop.port)
        try client.upgrade()
        return client
      }
      let known = try (0..<2).map { _ in try open() }
      let silent = try RawClient(port: loop.port)
      try waitForCount(3, loop)
      let last = try open()
      #expect(try silent.readToEnd().isEmpty)
      try waitForCount(3, loop)
      let refused = try RawClient(port: loop.port)
      #expect(try refused.readToEnd().isEmpty)
      #expect(refusals(loop) == [.descriptors, .descriptors])
      for client in known + [last] {
        try client.send(1, [65])
        #expect(try client.readFrame().payload == [65])
      }
    }
    try withFolder { folder in
      let path = "\(folder)/s"
      let listener = ListenerConfiguration(endpoint: .unix(path: path), originPolicy: nil)
      try withLoop(configuration, listener: listener) { loop in
        let clients = try (0..<4).map { _ in
          let client = try RawClient(path: path)
          try client.upgrade()
          return client
        }
        #expect(clients.count == 4)
      }
    }
  }

  @Test func endsAnHTTPConnectionThatGoesOnAndOn() throws {
    var configuration = TestLoop.configuration
    configuration.idleTimeout = .milliseconds(100)
    configuration.httpLifetime = .milliseconds(300)
    try withFolder { folder in
      let listener = ListenerConfiguration(endpoint: .unix(path: "\(folder)/s"))
      try withLoop(configuration, listener: listener) { _ in
        let client = try RawClient(path: "\(folder)/s")
        var heads: [String] = []
        repeat {
          try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
          heads.append(try client.readResponse().head)
        } while heads.last?.contains("keep-alive") == true
        // The last answer says that it is the last.
        #expect(heads.count > 1 && heads.last?.contains("connection: close") == true)
        #expect(try client.readToEnd().isEmpty)
      }
    }
  }
}
