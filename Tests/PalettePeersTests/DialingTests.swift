import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// When peers are dialed: whoever is back is live again within ten seconds, however it was away.
struct DialingTests {
  /// A core that joined one peer, and a clock.
  private final class Dialer {
    let library: TemporaryLibrary
    let clock = ManualClock()
    let core: NodeCore
    var links: UInt64 = 0
    let invitation: Invitation

    init(seed: UInt64, addresses: [String] = ["a"]) throws {
      library = try TemporaryLibrary()
      let clock = clock
      let store = try ChangeStore(writing: library.folder, milliseconds: { clock.milliseconds })
      core = try NodeCore(store, random: SeededRandom(seed: seed))
      invitation = Invitation(addresses: addresses, code: [1], grant: Grant(.relay))
      first = Self.dials(try core.handle(.joined(invitation))).first
    }

    var first: (address: String, timeout: Int64)?

    static func dials(_ effects: [NodeEffect]) -> [(address: String, timeout: Int64)] {
      effects.compactMap {
        if case .dial(_, let address, _, let timeout) = $0 { (address, timeout) } else { nil }
      }
    }

    /// Lets ticks go by until the peer is dialed, and tells when and where.
    func next(within limit: Int64) throws -> (address: String, timeout: Int64, after: Int64)? {
      let start = clock.milliseconds
      while clock.milliseconds - start <= limit {
        if let dial = Self.dials(try core.handle(.tick)).first {
          return (dial.address, dial.timeout, clock.milliseconds - start)
        }
        clock.milliseconds += 250
      }
      return nil
    }

    func fail(after milliseconds: Int64) throws {
      clock.milliseconds += milliseconds
      _ = try core.handle(.dialFailed(url: "a", reason: "unreachable"))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func whoeverSwallowsConnectionsIsTriedAgain(seed: UInt64) throws {
    let dialer = try Dialer(seed: seed)
    var timeout = try #require(dialer.first).timeout
    for _ in 0..<10 {
      // Nothing else may begin while the attempt is under way.
      #expect(try dialer.next(within: 750) == nil)
      try dialer.fail(after: timeout - 1_000)
      let dial = try #require(try dialer.next(within: 10_000))
      #expect(timeout + dial.after < 9_000, "replay with seed \(seed)")
      timeout = dial.timeout
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func whoeverRefusesIsTriedAgain(seed: UInt64) throws {
    let dialer = try Dialer(seed: seed)
    for _ in 0..<20 {
      try dialer.fail(after: 1)
      let dial = try #require(try dialer.next(within: 10_000))
      #expect(dial.after < 9_000, "replay with seed \(seed)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func whoeverAnswersAndThenSaysNothingIsTriedAgain(seed: UInt64) throws {
    let dialer = try Dialer(seed: seed)
    for _ in 0..<10 {
      dialer.links += 1
      let link = LinkID(rawValue: dialer.links)
      _ = try dialer.core.handle(.dialed(link, url: "a"))
      let start = dialer.clock.milliseconds
      var effects: [NodeEffect] = []
      while Dialer.dials(effects).isEmpty, dialer.clock.milliseconds - start < 20_000 {
        dialer.clock.milliseconds += 250
        effects += try dialer.core.handle(.tick)
      }
      let isClosed = effects.contains {
        if case .close(link, _, _) = $0 { true } else { false }
      }
      #expect(isClosed)
      #expect(dialer.clock.milliseconds - start < 9_000, "replay with seed \(seed)")
    }
  }

  @Test func twoAttemptsAtOnceMakeOneConnection() throws {
    let dialer = try Dialer(seed: 1)
    #expect(Dialer.dials(try dialer.core.handle(.joined(dialer.invitation))).count == 1)
    let first = LinkID(rawValue: 1)
    let second = LinkID(rawValue: 2)
    _ = try dialer.core.handle(.dialed(first, url: "a"))
    let effects = try dialer.core.handle(.dialed(second, url: "a"))
    let isClosed = effects.contains {
      if case .close(second, _, _) = $0 { true } else { false }
    }
    #expect(isClosed)
    _ = try dialer.core.handle(.closed(second, code: 1000, reason: ""))
    #expect(dialer.core.dialers["a"]?.link == first)
  }

  @Test func otherAddressesAreTriedAtOnce() throws {
    let dialer = try Dialer(seed: 1, addresses: ["a", "b", "c"])
    #expect(dialer.first?.address == "a")
    var addresses: [String] = []
    for _ in 0..<5 {
      try dialer.fail(after: 1)
      let dial = try #require(try dialer.next(within: 10_000))
      addresses.append(dial.address)
      if dial.address != "a" { #expect(dial.after == 0) }
    }
    #expect(addresses == ["b", "c", "a", "b", "c"])
  }
}
