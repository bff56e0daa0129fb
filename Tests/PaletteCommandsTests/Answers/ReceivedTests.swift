import PaletteJSON
import PaletteMerge
import PaletteStore
import Testing

@testable import PaletteCommands

struct ReceivedTests {
  @Test func aPeerIsReadAsItIsWritten() {
    let stored = StoredPeer(url: "ws://x", addresses: [], grants: [Grant(.editor)], name: "Studio")
    var state = PeerState(peer: stored, state: .refused)
    state.error = PeerError(code: "revoked", "the access was taken back")
    (state.pending, state.changesToCome, state.failures, state.isCaughtUp) = (2, 3, 1, true)
    let peer = Received<PeerAnswer>(PeerAnswer(state: state).json)
    #expect(peer.standing == PeerStanding(state))
    #expect(peer.isRefused && peer.name == "Studio" && peer.grants.map(\.role) == ["editor"])
  }

  @Test func whatANewerVersionWritesIsPassedOver() {
    let peer = Received<PeerAnswer>(
      ["url": "ws://x", "state": "asleep", "mood": ["good"], "pending": "many", "since": nil]
    )
    #expect(peer.state.known == nil && peer.state.text == "asleep")
    #expect(peer.pending == nil && peer.since == nil && peer.grants.isEmpty)
    #expect(peer.standing.state == .offline && !peer.standing.isInSync)
  }

  @Test func anAnswerWithoutMembersIsEmpty() {
    let status = Received<StatusAnswer>(nil)
    #expect(status.palettes.isEmpty && status.node == "" && status.pending == nil)
    #expect(!status.isRunning && status.isInSync)
  }

  @Test func aMoveShowsOtherValuesOfAColor() {
    let color = Received<RecordAnswer>(["id": "a", "seen": "1", "extra": 7])
    #expect(color.seeing("2").json == ["id": "a", "seen": "2", "extra": 7])
  }
}
