import PaletteTestSupport
import Testing

@testable import WebSocket

/// What leaves on a connection, read again by the parser of the other side.
struct OutgoingFramesTests {
  /// A socket that takes some bytes, and then none for a while.
  private struct Wire {
    var random: SeededRandom
    var bytes: [UInt8] = []

    /// Moves what waits, as far as this socket likes; false when there was nothing.
    mutating func take(_ outgoing: inout OutgoingFrames) -> Bool {
      let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: OutgoingFrames.pieceSize)
      defer { scratch.deallocate() }
      let count = outgoing.next(into: scratch)
      #expect(count <= OutgoingFrames.pieceSize)
      let taken = random.chance(0.5) ? count : Int.random(in: 0...count, using: &random)
      bytes += UnsafeBufferPointer(start: scratch, count: taken)
      if taken < count {
        outgoing.giveBack(UnsafeRawBufferPointer(start: scratch + taken, count: count - taken))
      }
      return count > 0
    }

    func events(isMasked: Bool) -> [FrameParser.Event] {
      var parser = FrameParser(messageLimit: 1 << 20, isMasked: isMasked)
      return bytes.withUnsafeBytes { parser.read($0) }
    }
  }

  @Test(arguments: TestSeeds.some(of: 40))
  func everythingArrivesInOrder(seed: UInt64) {
    var wire = Wire(random: SeededRandom(seed: seed))
    let isMasked = seed % 2 == 0
    var outgoing = OutgoingFrames(byteLimit: 8 << 20, isMasked: isMasked)
    var messages: [FrameParser.Event] = []
    var pings: [FrameParser.Event] = []
    for number in 0..<30 {
      let size = [0, 1, 125, 126, 16_384, 16_385, 65_535, 65_536, 200_000][
        Int.random(in: 0..<9, using: &wire.random)
      ]
      let bytes = [UInt8](repeating: UInt8(number), count: size)
      let isQueued = outgoing.push(MessageFrame(bytes, kind: .binary))
      #expect(isQueued)
      messages.append(.message(Message(kind: .binary, bytes: bytes)))
      if wire.random.chance(0.3) {
        outgoing.push(control: .ping, [UInt8(number)])
        pings.append(.ping([UInt8(number)]))
      }
      if wire.random.chance(0.5) { _ = wire.take(&outgoing) }
    }
    while wire.take(&outgoing) {}
    #expect(outgoing.isEmpty && outgoing.byteCount == 0)
    let events = wire.events(isMasked: isMasked)
    let isPing = { (event: FrameParser.Event) in if case .ping = event { true } else { false } }
    #expect(events.filter { !isPing($0) } == messages, "replay with seed \(seed)")
    #expect(events.filter(isPing) == pings, "replay with seed \(seed)")
  }

  @Test func aPingPassesTheFragmentsOfALongMessage() {
    var wire = Wire(random: SeededRandom(seed: 1))
    var outgoing = OutgoingFrames(byteLimit: 1 << 20, isMasked: false)
    _ = outgoing.push(MessageFrame([UInt8](repeating: 7, count: 300_000), kind: .binary))
    _ = wire.take(&outgoing)
    outgoing.push(control: .ping, [1])
    while wire.take(&outgoing) {}
    #expect(wire.events(isMasked: false).first == .ping([1]))
  }

  @Test func halfAMessageCannotBeTakenBack() {
    var wire = Wire(random: SeededRandom(seed: 1))
    var outgoing = OutgoingFrames(byteLimit: 1 << 20, isMasked: false)
    let long = [UInt8](repeating: 7, count: 300_000)
    _ = outgoing.push(MessageFrame(long, kind: .binary))
    _ = outgoing.push(MessageFrame([1], kind: .binary))
    _ = wire.take(&outgoing)
    outgoing.discardUnbegun()
    while wire.take(&outgoing) {}
    #expect(wire.events(isMasked: false) == [.message(Message(kind: .binary, bytes: long))])
  }

  @Test func manyPingsAtOnceStopTheReading() {
    var outgoing = OutgoingFrames(byteLimit: 1 << 20, isMasked: false)
    for number in 0..<OutgoingFrames.pongLimit {
      #expect(!outgoing.isFlooded, "after \(number)")
      outgoing.push(control: .pong, [1])
    }
    #expect(outgoing.isFlooded)
  }
}
