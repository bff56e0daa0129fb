import Testing

@testable import PalettePeers

/// Frames of those who had their share of the loop's time, with a clock that stands where it is set.
struct DelayedFramesTests {
  /// A loop that takes frames.
  private final class Loop {
    let time: LoopTime
    let clock = Clock()
    var frames: DelayedFrames<String>

    init() {
      time = LoopTime { [clock] in clock.microseconds }
      frames = DelayedFrames(time)
    }

    /// Spends time for a member.
    func spend(_ milliseconds: Int64, for member: Int64) {
      time.spend(for: .member(member)) { clock.microseconds += milliseconds * 1_000 }
    }

    func delays(_ number: UInt8, on connection: String, of member: Int64) -> Bool {
      frames.delays([number], on: connection, of: .member(member))
    }

    func next() -> String? { frames.next().map { "\($0.connection)\($0.frame[0])" } }

    func taken() -> [String] {
      var names: [String] = []
      frames.begin()
      while let next = next() { names.append(next) }
      return names
    }
  }

  private final class Clock {
    var microseconds: Int64 = 0
  }

  private let loop = Loop()

  /// Member 1 has had more than its share.
  init() { loop.spend(60, for: 1) }

  @Test func framesOfOthersAreTakenBeforeThoseOfWhoHadItsShare() {
    #expect(loop.delays(0, on: "a", of: 1) && loop.delays(1, on: "a", of: 1))
    #expect(!loop.delays(0, on: "b", of: 2))
    // Somebody else sent something since.
    #expect(loop.taken().isEmpty && loop.frames.holds("a"))
    // Nobody else wants anything: waiting would help nobody.
    #expect(loop.taken() == ["a0", "a1"])
    #expect(loop.frames.isEmpty && !loop.frames.holds("a"))
  }

  @Test func whoHasItsShareAgainIsTakenWhateverOthersSend() {
    #expect(loop.delays(0, on: "a", of: 1))
    loop.clock.microseconds += 1_000_000
    // What came before goes first.
    #expect(loop.delays(1, on: "a", of: 1))
    #expect(!loop.delays(0, on: "b", of: 2))
    #expect(loop.taken() == ["a0", "a1"])
  }

  @Test func othersAreLookedAfterBetweenSlices() {
    for number in 0..<4 as Range<UInt8> { #expect(loop.delays(number, on: "a", of: 1)) }
    loop.frames.begin()
    #expect(loop.next() == "a0")
    loop.spend(6, for: 1)
    #expect(loop.next() == nil && loop.frames.holds("a"))
    #expect(loop.taken() == ["a1", "a2", "a3"])
  }

  @Test func connectionsTakeTurns() {
    for name in ["a", "a", "b", "b"] { #expect(loop.delays(7, on: name, of: 1)) }
    #expect(loop.taken() == ["a7", "b7", "a7", "b7"])
  }

  @Test func whatEndedIsForgotten() {
    #expect(loop.delays(0, on: "a", of: 1))
    loop.frames.remove("a")
    #expect(loop.frames.isEmpty && loop.taken().isEmpty)
  }

  @Test func eachFrameThatWaitsIsCounted() {
    for _ in 0..<3 { #expect(loop.delays(0, on: "a", of: 1)) }
    #expect(loop.time.accounts.map(\.spent.waits) == [3])
  }
}
