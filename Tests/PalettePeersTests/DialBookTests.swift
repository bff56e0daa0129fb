import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PalettePeers
@testable import PaletteSync

/// The book of joined peers alone, without a library and without connections.
struct DialBookTests {
  private static let url = "https://hub"
  private let connection = PeerConnectionID(rawValue: 1)

  private func book(_ addresses: [String] = [Self.url, "b"]) -> DialBook {
    DialBook(
      [StoredPeer(url: Self.url, addresses: addresses, grants: [Grant(.relay)])],
      random: RandomSource(SeededRandom(seed: 1))
    )
  }

  private func addresses(_ effects: [NodeEffect]) -> [String] {
    effects.compactMap { if case .dial(_, let address, _, _) = $0 { address } else { nil } }
  }

  private func hub(hasToWait: Bool = false) -> SyncPeer {
    SyncPeer(
      node: NodeID(9),
      library: RecordID(high: 0, low: 9),
      name: "hub",
      grants: [Grant(.editor)],
      hasToWait: hasToWait
    )
  }

  private func ticket(code: UInt8) -> JoinTicket {
    JoinTicket(addresses: [Self.url], code: [code], grant: Grant(.editor))
  }

  @Test func aPeerIsDialedUntilAnAddressAnswers() {
    let book = book()
    #expect(addresses(book.dial(Self.url, at: 1_000)) == [Self.url])
    #expect(book.dialers[Self.url]?.state == .connecting)
    // The next address has its turn where one has failed.
    #expect(book.fail(Self.url, Self.url, "unreachable", at: 1_001))
    #expect(addresses(book.dial(Self.url, at: 1_001)) == ["b"])
    #expect(book.connect(connection, to: Self.url, at: 1_002) == [.cancelDials(url: Self.url)])
    #expect(book.dial(Self.url, at: 60_000).isEmpty)
    #expect(!book.fail(Self.url, "b", "too late", at: 60_000))
    #expect(book.connections == [connection])
  }

  @Test func waitsGrowWithFailuresAndEndWhenSomebodyHurries() {
    let book = book(["a"])
    var now: Int64 = 0
    for failures in 1...12 {
      _ = book.dial(Self.url, at: now)
      #expect(book.fail(Self.url, "a", "unreachable", at: now))
      #expect(book.dialers[Self.url]?.attempts == failures)
      #expect(book.dialers[Self.url]?.state == .offline)
      now += DialBook.backoffMilliseconds.upperBound
    }
    book.hurry()
    #expect(book.dialers[Self.url]?.attempts == 0)
    #expect(addresses(book.dial(Self.url, at: now)) == ["a"])
  }

  @Test func aPeerIsLeftAloneForAsLongAsItAsked() {
    let book = book()
    _ = book.dial(Self.url, at: 0)
    _ = book.connect(connection, to: Self.url, at: 0)
    book.leaveAlone(Self.url, milliseconds: 5_000)
    book.close(connection, to: Self.url, mute: nil, "gone", at: 1_000)
    #expect(book.dial(Self.url, at: 5_999).isEmpty)
    #expect(!book.dial(Self.url, at: 7_000).isEmpty)
    // What another connection ended with says nothing of this one.
    book.close(PeerConnectionID(rawValue: 2), to: Self.url, mute: nil, "other", at: 8_000)
    #expect(book.dialers[Self.url]?.error == "gone")
  }

  @Test func aRefusalIsRememberedAndHoldsForHalfAMinute() {
    let book = book()
    _ = book.dial(Self.url, at: 0)
    _ = book.connect(connection, to: Self.url, at: 0)
    #expect(book.refuse(Self.url, "expired", "the grant ended")?.refusal == "expired")
    book.close(connection, to: Self.url, mute: nil, "closed", at: 0)
    #expect(book.dialers[Self.url]?.error?.text == "expired: the grant ended")
    #expect(book.dial(Self.url, at: DialBook.refusedMilliseconds - 1).isEmpty)
    let later = DialBook.refusedMilliseconds + DialBook.backoffMilliseconds.upperBound
    #expect(!book.dial(Self.url, at: later).isEmpty)
    #expect(book.dialers[Self.url]?.state == .refused)
  }

  @Test func whoComesBackUnderAnotherIDDoesSoAtOnce() {
    let book = book()
    _ = book.dial(Self.url, at: 0)
    _ = book.connect(connection, to: Self.url, at: 0)
    _ = book.refuse(Self.url, "node-taken", "the id is somebody else's")
    book.forgetRefusal(of: Self.url)
    #expect(book.close(connection, to: Self.url, mute: Self.url, "closed", at: 5))
    #expect(!book.dial(Self.url, at: 5).isEmpty)
    // Once: a peer that refuses that one, too, is left alone.
    _ = book.connect(connection, to: Self.url, at: 6)
    _ = book.refuse(Self.url, "node-taken", "the id is somebody else's")
    #expect(!book.close(connection, to: Self.url, mute: Self.url, "closed", at: 7))
    #expect(book.dial(Self.url, at: 8).isEmpty)
  }

  @Test func aWelcomeForgetsTheCodeAndKeepsTheSecret() throws {
    let book = book()
    _ = book.join(book.peer(joinedBy: ticket(code: 1), secret: [7]))
    _ = book.dial(Self.url, at: 0)
    _ = book.connect(connection, to: Self.url, at: 0)
    let saved = try #require(book.welcome(hub(), at: Self.url, Self.url))
    #expect(saved.secret == [7] && saved.code.isEmpty && saved.node == NodeID(9))
    #expect(saved == book.peers[Self.url])
    #expect(saved.grants == [Grant(.editor)])
    #expect(book.dialers[Self.url]?.state == .live)
    #expect(!book.isJoiningAnew(Self.url))
  }

  @Test func whoHasToWaitKeepsItsGrantsAndIsTold() throws {
    let book = book()
    let saved = try #require(book.welcome(hub(hasToWait: true), at: Self.url, nil))
    #expect(saved.grants == [Grant(.relay)])
    #expect(book.dialers[Self.url]?.error?.code == "over-quota")
  }

  @Test func aFailedJoinGivesTheFormerMembershipBack() {
    let book = book()
    let before = book.peers[Self.url]
    _ = book.join(book.peer(joinedBy: ticket(code: 1), secret: [7]))
    #expect(book.isJoiningAnew(Self.url) && book.peers[Self.url]?.code == [1])
    // Joining once more does not make the failed attempt the membership to go back to.
    _ = book.join(book.peer(joinedBy: ticket(code: 2), secret: [7]))
    _ = book.dial(Self.url, at: 0)
    _ = book.connect(connection, to: Self.url, at: 0)
    #expect(book.refuse(Self.url, "unknown", "no such code") == nil)
    book.close(connection, to: Self.url, mute: Self.url, "refused", at: 0)
    _ = book.dial(Self.url, at: 60_000)
    #expect(book.peers[Self.url] == before && !book.isJoiningAnew(Self.url))
  }

  @Test func leavingEndsAnAttemptOrTheMembership() {
    let book = book()
    let before = book.peers[Self.url]
    _ = book.join(book.peer(joinedBy: ticket(code: 1), secret: [7]))
    _ = book.dial(Self.url, at: 0)
    #expect(book.leave(Self.url) == [.cancelDials(url: Self.url)])
    #expect(book.peers[Self.url] == before && book.urls == [Self.url])
    #expect(book.leave(Self.url).isEmpty)
    #expect(book.peers.isEmpty && book.urls.isEmpty)
  }

  @Test func anAddressThatGaveNoWelcomeIsTriedLast() {
    let book = book()
    _ = book.dial(Self.url, at: 0)
    _ = book.connect(connection, to: Self.url, at: 0)
    book.close(connection, to: Self.url, mute: Self.url, "no welcome", at: 5_000)
    #expect(book.peers[Self.url]?.addresses == ["b", Self.url])
  }
}
