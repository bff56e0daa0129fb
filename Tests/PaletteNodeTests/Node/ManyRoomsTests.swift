import PaletteClient
import PaletteCommands
import PaletteJSON
import PaletteModel
import PalettePlatform
import PaletteStore
import PaletteTestSupport
import PaletteWebPage
import Testing

@testable import PaletteNode
@testable import WebSocket

/// Rooms that are opened when they are asked for, and closed again.
@MainActor
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct ManyRoomsTests {
  /// The rooms and stores that were opened, as long as anything holds them; for the loop's thread alone.
  private final class Opened: @unchecked Sendable {
    struct Reference {
      weak var room: Room?
    }

    var rooms: [Reference] = []
    var living: Int { rooms.count { $0.room != nil } }
  }

  /// Makes a palette with one color.
  nonisolated private static let requests = [
    Request(method: "new", parameters: ["name": "Brand"]),
    Request(method: "add", parameters: ["palette": "Brand", "value": "tomato"]),
  ]

  private let home: TemporaryLibrary

  init() throws {
    home = try TemporaryLibrary(inMemory: ())
  }

  nonisolated private static func location(_ path: String) -> LibraryLocation {
    LibraryLocation(home: path, configurationFile: path + "/config.json")
  }

  private func settings(isServing: Bool) throws -> NodeSettings {
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:0")
    settings.page = .hued
    settings.isServing = isServing
    settings.linksFiles = false
    return settings
  }

  private func node(_ limits: ProcessLimits, isServing: Bool = false) throws -> Node {
    try Node(
      at: Self.location(home.folder.path),
      settings: try settings(isServing: isServing),
      limits: limits
    )
  }

  /// The descriptors of this process that lead into the folder of a test.
  nonisolated private static func descriptors(under path: String) -> Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var target = [UInt8](repeating: 0, count: 4_096)
      let length = readlink("/proc/self/fd/\(name)", &target, target.count)
      guard length > 0 else { continue }
      if String(decoding: target[..<length], as: UTF8.self).hasPrefix(path) { count += 1 }
    }
    return count
  }

  private func eventually(_ isTrue: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + Duration.patiently(seconds: 120)
    while ContinuousClock.now < deadline {
      if try await isTrue() { return true }
      try await Task.sleep(for: .milliseconds(5))
    }
    // The wait may have been longer than was asked for.
    return try await isTrue()
  }

  private func openRooms(_ node: Node) async throws -> Int {
    try await node.thread.call { _, process in process.openRoomCount }
  }

  @Test func aThousandRoomsTakeAsMuchAsFifty() async throws {
    let (count, limit) = (1_000, 50)
    var limits = ProcessLimits()
    limits.rooms = limit
    let node = try node(limits)
    let opened = Opened()
    let folder = home.folder.path
    let settings = try settings(isServing: false)
    let keys = try await node.thread.call { _, process in
      (0..<count).map { process.add(Self.location("\(folder)/\($0)"), settings) }
    }
    // In pieces, as a room is busy until the loop has gone on.
    for start in stride(from: 0, to: count, by: 20) {
      let most = try await node.thread.call { _, process in
        for number in start..<start + 20 {
          let room = try process.use(keys[number]) { room in
            for request in Self.requests { _ = try room.answer(request) }
            return room
          }
          opened.rooms.append(Opened.Reference(room: room))
        }
        return (
          open: process.openRoomCount, living: opened.living,
          descriptors: Self.descriptors(under: folder)
        )
      }
      #expect(most.open <= limit && most.living <= limit, "\(most), after \(start)")
      #expect(most.descriptors <= limit * ProcessLimits.descriptorsOfRoom, "\(most)")
    }
    // All that was closed is there when it is asked for again.
    for start in stride(from: 0, to: count, by: 200) {
      let colors = try await node.thread.call { _, process in
        try process.use(keys[start]) { room in try room.program.status().colors }
      }
      #expect(colors == 1)
    }
    await node.end()
    #expect(Self.descriptors(under: folder) == 0)
    #expect(opened.living == 0)
  }

  @Test func memoryIsDividedAmongTheRooms() async throws {
    var limits = ProcessLimits()
    limits.memory.store.pageBytes = 8 << 20
    let half = limits.memory.divided(by: 2)
    #expect(half.store.pageBytes == 4 << 20 && half.store.orderBytes == 48 << 20)
    #expect(half.store.rowBytes == 8 << 20 && half.fileBytes == 8 << 20)
  }

  @Test func noRoomMakesPlaceThatSomebodyIsIn() async throws {
    var limits = ProcessLimits()
    limits.rooms = 1
    let node = try node(limits, isServing: true)
    let other = try TemporaryLibrary()
    let (path, settings) = (other.folder.path, try settings(isServing: false))
    let key = try await node.thread.call { _, process in
      process.add(Self.location(path), settings)
    }
    let client = try #require(try NodeConnection(home: home.folder.path))
    for request in Self.requests { _ = try client.call(request) }
    await #expect {
      try await node.thread.call { _, process in try process.use(key) { _ in } }
    } throws: { ($0 as? APIError)?.code == "busy" }
    // The one who is in it notices nothing.
    #expect(try client.call(Request(method: "palettes")).json["palettes"].arrayValue?.count == 1)
    await node.end()
  }

  @Test func anIdleRoomIsClosedAndOpenedForWhoeverComes() async throws {
    var limits = ProcessLimits()
    limits.idleTime = .milliseconds(20)
    let node = try node(limits, isServing: true)
    let folder = home.folder.path
    let page = try #require(node.pageLink?.split(separator: "#").last.map { String($0) })
    do {
      let client = try #require(try NodeConnection(home: folder))
      for request in Self.requests { _ = try client.call(request) }
    }
    #expect(try await eventually { try await openRooms(node) == 0 })
    // The library is free for another process.
    do {
      let store = try ChangeStore(writing: home.folder, lockTimeoutMilliseconds: 0)
      #expect(try store.totals().colors == 1)
    }
    let client = try #require(try NodeConnection(home: folder))
    #expect(try client.call(Request(method: "palettes")).json["palettes"].arrayValue?.count == 1)
    #expect(try await openRooms(node) == 1)
    // A link that was printed before is still good.
    #expect(LoopbackHTTP.get("/session", at: node.url, token: page)?.status == 200)
    await node.end()
  }

  @Test func aNodeThatNobodyUsesHasNoTimer() async throws {
    let node = try node(ProcessLimits(), isServing: true)
    #expect(try await eventually { try await node.thread.call { loop, _ in loop.timerCount } == 0 })
    #expect(try await openRooms(node) == 1)
    let client = try #require(try NodeConnection(home: home.folder.path))
    _ = try client.call(Request(method: "palettes"))
    #expect(try await node.thread.call { loop, _ in loop.timerCount } > 0)
    await node.end()
  }

  @Test func filesArePolledUntilTheLastLinkEnds() async throws {
    var settings = try settings(isServing: true)
    settings.linksFiles = true
    let location = Self.location(home.folder.path)
    let node = try Node(at: location, settings: settings, limits: ProcessLimits())
    // The folder of the library may have no linked files.
    let files = try TemporaryLibrary(inMemory: ())
    let path = JSON(files.folder.path + ".gpl")
    let link: JSON = ["file": path, "palette": "Brand"]
    for request in Self.requests + [Request(method: "link", parameters: link)] {
      _ = try #require(try NodeConnection(home: home.folder.path)).call(request)
    }
    for _ in 0..<2 {
      do {
        let client = try #require(try NodeConnection(home: home.folder.path))
        _ = try client.call(Request(method: "unlink", parameters: ["file": path]))
      }
      #expect(
        try await eventually { try await node.thread.call { loop, _ in loop.timerCount } == 0 }
      )
      let client = try #require(try NodeConnection(home: home.folder.path))
      _ = try client.call(Request(method: "link", parameters: link))
    }
    await node.end()
    withExtendedLifetime(files) {}
  }
}
