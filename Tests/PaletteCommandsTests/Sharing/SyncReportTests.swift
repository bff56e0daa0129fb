import PaletteMerge
import PaletteStore
import Testing

@testable import PaletteCommands

struct SyncReportTests {
  private func peer(
    _ state: PeerConnectionState,
    _ change: (inout PeerState) -> Void = { _ in }
  ) -> PeerState {
    let stored = StoredPeer(url: "hub", addresses: ["hub"], grants: [Grant(.relay)])
    var peer = PeerState(peer: stored, state: state)
    peer.isCaughtUp = state == .live
    change(&peer)
    return peer
  }

  private func reasons(_ peer: PeerState, isRunning: Bool = true) -> [String] {
    SyncReport([peer], isRunning: isRunning).reasons
  }

  @Test func nothingIsWrongWhereAllIsExchanged() {
    #expect(reasons(peer(.live)) == [])
    #expect(SyncReport([], isRunning: false).reasons == [])
  }

  @Test func saysWhatIsWrong() {
    #expect(
      reasons(peer(.offline) { $0.error = "connection refused" })
        == ["hub cannot be reached: connection refused"]
    )
    #expect(reasons(peer(.refused)) == ["hub refuses this library"])
    #expect(
      reasons(
        peer(.live) {
          $0.isCaughtUp = false
          $0.changesToCome = 12
          $0.pending = 1
          $0.withheld = 2
        }
      ) == [
        "catching up with hub, 12 changes to come", "1 change waits for hub",
        "2 changes can be given to hub only by a relay or an owner",
      ]
    )
    // What waits for room is given when there is some.
    #expect(
      reasons(
        peer(.live) {
          $0.error = PeerError(code: PeerError.overQuota, "hub takes no more")
          $0.pending = 1
          $0.withheld = 2
        }
      ) == ["hub takes no more", "1 change waits for hub"]
    )
    #expect(
      reasons(peer(.live) { $0.clockOffsetMilliseconds = 600_000 })
        == ["the clock here is 10 minutes behind that of hub"]
    )
    #expect(
      reasons(peer(.offline), isRunning: false)
        == ["no node runs here, so peers are met only at edits and 'sync'"]
    )
    let damage = StoreError(code: .corrupt, message: "page 7 is malformed")
    #expect(
      SyncReport([], isRunning: true, damage: damage).reasons
        == ["this library is damaged: page 7 is malformed"]
    )
  }

  @Test func saysWhatMembersHoldThatIsMissing() {
    let missing = (1...5).map { MissingChanges(count: 6 - $0, member: "m\($0)") }
    let tail = " that this library has lost or never had: only a relay or an owner can bring "
    #expect(
      SyncReport([], isRunning: true, missing: [missing[4]]).reasons
        == ["m5 holds 1 change" + tail + "it"]
    )
    #expect(
      SyncReport([], isRunning: true, missing: missing).reasons == [
        "m1 holds 5 changes" + tail + "them", "m2 holds 4 changes" + tail + "them",
        "m3 holds 3 changes" + tail + "them", "so do 2 more members",
      ]
    )
  }
}
