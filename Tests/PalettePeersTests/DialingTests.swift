import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteSync
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
    var connections: UInt64 = 0
    let ticket: JoinTicket

    init(seed: UInt64, addresses: [String] = ["a"]) throws {
      library = try TemporaryLibrary()
      let clock = clock
      let store = try ChangeStore(writing: library.folder, milliseconds: { clock.milliseconds })
      core = try NodeCore(store, random: SeededRandom(seed: seed))
      ticket = JoinTicket(addresses: addresses, code: [1], grant: Grant(.relay))
      first = Self.dials(try core.handle(.joined(ticket))).first
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

    @discardableResult
    func fail(after milliseconds: Int64, at address: String = "a") throws -> [NodeEffect] {
      clock.milliseconds += milliseconds
      return try core.handle(.dialFailed(url: "a", address: address, error: "unreachable"))
    }

    func open(_ connection: UInt64, at address: String = "a") throws -> [NodeEffect] {
      try core.handle(.dialed(PeerConnectionID(rawValue: connection), url: "a", address: address))
    }

    /// How often this library says hello.
    static func hellos(_ effects: [NodeEffect]) -> Int {
      effects.count {
        guard case .send(_, let bytes) = $0, case .hello? = try? Frame(decoding: bytes) else {
          return false
        }
        return true
      }
    }

    /// Lets a peer take this library in.
    func welcome(_ connection: UInt64) throws -> [NodeEffect] {
      let welcome = Welcome(
        version: 1,
        node: NodeID(9),
        library: RecordID(high: 9, low: 9),
        grants: [Grant(.relay)],
        milliseconds: 0
      )
      return try core.handle(
        .received(PeerConnectionID(rawValue: connection), Frame.welcome(welcome).encoded)
      )
    }
  }

  @Test(arguments: TestSeeds.some(of: 20))
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

  @Test(arguments: TestSeeds.some(of: 20))
  func whoeverRefusesIsTriedAgain(seed: UInt64) throws {
    let dialer = try Dialer(seed: seed)
    for _ in 0..<20 {
      try dialer.fail(after: 1)
      let dial = try #require(try dialer.next(within: 10_000))
      #expect(dial.after < 9_000, "replay with seed \(seed)")
    }
  }

  @Test(arguments: TestSeeds.some(of: 20))
  func whoeverAnswersAndThenSaysNothingIsTriedAgain(seed: UInt64) throws {
    let dialer = try Dialer(seed: seed)
    for _ in 0..<10 {
      dialer.connections += 1
      let connection = PeerConnectionID(rawValue: dialer.connections)
      _ = try dialer.open(dialer.connections)
      let start = dialer.clock.milliseconds
      var effects: [NodeEffect] = []
      while Dialer.dials(effects).isEmpty, dialer.clock.milliseconds - start < 20_000 {
        dialer.clock.milliseconds += 250
        effects += try dialer.core.handle(.tick)
      }
      let isClosed = effects.contains {
        if case .close(connection, _, _) = $0 { true } else { false }
      }
      #expect(isClosed)
      #expect(dialer.clock.milliseconds - start < 9_000, "replay with seed \(seed)")
    }
  }

  @Test func twoAttemptsAtOnceMakeOneConnection() throws {
    let dialer = try Dialer(seed: 1)
    #expect(Dialer.dials(try dialer.core.handle(.joined(dialer.ticket))).count == 1)
    let first = PeerConnectionID(rawValue: 1)
    let second = PeerConnectionID(rawValue: 2)
    _ = try dialer.open(1)
    let effects = try dialer.open(2)
    let isClosed = effects.contains {
      if case .close(second, _, _) = $0 { true } else { false }
    }
    #expect(isClosed)
    _ = try dialer.core.handle(.closed(second, code: 1000, reason: ""))
    #expect(dialer.core.dialers["a"]?.connection == first)
  }

  @Test func aCodeThatIsNotRedeemedIsKnown() throws {
    let dialer = try Dialer(seed: 1)
    let first = dialer.ticket
    let second = JoinTicket(addresses: ["a"], code: [2], grant: Grant(.viewer))
    let elsewhere = JoinTicket(addresses: ["b"], code: [3], grant: Grant(.viewer))
    #expect(dialer.core.isRedeeming(anotherCodeThan: second))
    #expect(!dialer.core.isRedeeming(anotherCodeThan: first), "it is this very code")
    #expect(!dialer.core.isRedeeming(anotherCodeThan: elsewhere))
    _ = try dialer.open(1)
    _ = try dialer.welcome(1)
    #expect(!dialer.core.isRedeeming(anotherCodeThan: second))
    _ = try dialer.core.handle(.joined(second))
    #expect(dialer.core.isRedeeming(anotherCodeThan: first))
  }

  @Test func whereOneAddressFailsTheNextIsTriedAtOnce() throws {
    let dialer = try Dialer(seed: 1, addresses: ["a", "b", "c"])
    #expect(dialer.first?.address == "a")
    #expect(Dialer.dials(try dialer.fail(after: 1, at: "a")).map(\.address) == ["b"])
    #expect(Dialer.dials(try dialer.fail(after: 1, at: "b")).map(\.address) == ["c"])
    #expect(Dialer.dials(try dialer.fail(after: 1, at: "c")).isEmpty)
    #expect(dialer.core.dialers["a"]?.state == .offline)
    #expect(try dialer.next(within: 10_000)?.address == "a")
  }

  @Test func anAddressThatSwallowsEverythingCostsAMoment() throws {
    let dialer = try Dialer(seed: 1, addresses: ["a", "b", "c"])
    #expect(try dialer.next(within: 1_000)?.address == "b")
    // Only who comes through first is told who we are, and no other attempt goes on.
    let effects = try dialer.open(1, at: "b")
    #expect(effects.contains(.cancelDials(url: "a")))
    #expect(try dialer.next(within: 1_000) == nil)
    let late = try dialer.open(2, at: "a")
    // Over a plain connection the greeting waits for the other side's proof; these are of no scheme.
    #expect(Dialer.hellos(effects) == 1)
    #expect(Dialer.hellos(late) == 0)
    #expect(
      late.contains(.close(PeerConnectionID(rawValue: 2), code: 1000, reason: "connected already"))
    )
  }

  @Test func theAddressThatWorkedIsTriedFirstTheNextTime() throws {
    let dialer = try Dialer(seed: 1, addresses: ["a", "b", "c"])
    _ = try dialer.next(within: 250)
    _ = try dialer.next(within: 250)
    _ = try dialer.open(1, at: "c")
    _ = try dialer.welcome(1)
    #expect(try dialer.core.store.peers.all().first?.addresses == ["c", "a", "b"])
    _ = try dialer.core.handle(
      .closed(PeerConnectionID(rawValue: 1), code: 1006, reason: "no answer")
    )
    #expect(dialer.core.dialers["a"]?.state == .offline)
    let next = try #require(try dialer.next(within: 1_000))
    #expect(next.address == "c")
  }

  @Test func whoGivesNoWelcomeIsTriedLast() throws {
    let dialer = try Dialer(seed: 1, addresses: ["a", "b"])
    _ = try dialer.open(1, at: "a")
    #expect(try dialer.next(within: 9_000)?.address == "b")
    #expect(try dialer.core.store.peers.all().first?.addresses == ["a", "b"])
  }

  @Test func aChangedNetworkDoubtsWhatIsThereAndTriesWhatIsNot() throws {
    let dialer = try Dialer(seed: 1)
    let hasDialed = { (effects: [NodeEffect]) in !Dialer.dials(effects).isEmpty }
    // An attempt that is young goes on, one that may wait for seconds begins anew.
    #expect(!hasDialed(try dialer.core.handle(.networkChanged)))
    dialer.clock.milliseconds += 4_000
    let effects = try dialer.core.handle(.networkChanged)
    #expect(effects.contains(.cancelDials(url: "a")) && hasDialed(effects))
    for _ in 0..<6 {
      try dialer.fail(after: 1)
      #expect(hasDialed(try dialer.core.handle(.networkChanged)))
    }
    _ = try dialer.open(1)
    _ = try dialer.welcome(1)
    #expect(try dialer.core.handle(.networkChanged).contains(.doubt(PeerConnectionID(rawValue: 1))))
  }

  @Test func aRaceOfVeryManyAddressesBegins() {
    var race = DialRace((0..<5_000).map { "\($0)" }, at: 0)
    #expect(race.start(at: 0) == ["0"])
    #expect(race.start(at: 10_000).count == 4_999)
  }

  @Test(arguments: TestSeeds.some(of: 50))
  func aRaceTriesEveryAddressOnceAndInTime(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let addresses = (0..<Int.random(in: 1...40, using: &random)).map { "\($0)" }
    var race = DialRace(addresses, at: 1_000)
    var now: Int64 = 1_000
    var tried: [String] = []
    var underway: [String] = []
    while !race.isOver {
      let due = race.start(at: now)
      tried += due
      underway += due
      if random.chance(0.3), let address = underway.randomElement(using: &random) {
        underway.removeAll { $0 == address }
        let outcomes = [race.fail(address), race.fail(address)]
        #expect(outcomes == [true, false])
      }
      now += Int64.random(in: 0...250, using: &random)
      if now >= 1_000 + DialRace.lastStartMilliseconds + 250 { #expect(tried == addresses) }
    }
    #expect(tried == addresses)
  }
}
