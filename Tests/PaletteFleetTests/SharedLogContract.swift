import PaletteFleet
import PaletteStore
import Testing

/// The rules that every shared log keeps.
///
/// Each test gets two connections to an empty log of its own.
struct SharedLogContract: Sendable {
  let name: String
  let check: @Sendable (any SharedLog, any SharedLog) throws -> Void

  static let all: [Self] = hubs + owning + entries + images
}

extension SharedLogContract: CustomTestStringConvertible {
  var testDescription: String { name }
}

extension SharedLogContract {
  static let hubs: [Self] = [
    Self(name: "a beat counts, and names what is owned and who lives") { (one, two) throws in
      let (me, other) = (hub(1), hub(2))
      try one.register(me)
      try two.register(other)
      let claim = try claim("studio", for: me.id, at: one)
      #expect(try one.beat(me.id)?.beat == 1)
      let answer = try #require(try one.beat(me.id))
      #expect(answer.beat == 2)
      #expect(answer.owned == [claim.library: BeatAnswer.Owned(epoch: 1, wanted: nil)])
      #expect(Set(answer.beats.keys) == [me.id, other.id])
      #expect(try two.beat(other.id)?.beats[me.id] == 2)
    },
    Self(name: "the dead stay dead, and are not listed") { (one, two) throws in
      try one.register(hub(1))
      try one.register(hub(2))
      try two.bury(HubID(1))
      #expect(try one.beat(HubID(1)) == nil)
      #expect(try one.beat(HubID(3)) == nil)
      #expect(try one.beat(HubID(2))?.beats.keys.map(\.number) == [2])
      #expect(try two.hubs().map(\.name) == ["hub2"])
    },
    Self(name: "a hub is declared dead on condition of its beat") { (one, two) throws in
      try one.register(hub(1))
      _ = try one.beat(HubID(1))
      try two.bury(HubID(1), at: 0)
      #expect(try one.beat(HubID(1))?.beat == 2)
      try two.bury(HubID(1), at: 2)
      #expect(try one.beat(HubID(1)) == nil)
    },
    Self(name: "the rows of the dead can go, and they stay dead") { (one, two) throws in
      try one.register(hub(1))
      try one.register(hub(2))
      let owned = try claim("studio", for: HubID(1), at: one)
      try two.bury(HubID(1))
      try two.forgetDead()
      #expect(try one.beat(HubID(1)) == nil)
      #expect(try one.beat(HubID(2))?.beat == 1)
      let seen = try #require(try two.look("studio"))
      #expect(seen.owner == HubID(1) && seen.hub == nil)
      #expect(try two.take(seen, because: .dead(HubID(1)), for: HubID(2), schema: 9)?.epoch == 2)
      #expect(outcome { _ = try append("a", to: one, owned) } == .fenced)
    },
    Self(name: "hubs are listed with what they own") { (one, two) throws in
      try one.register(hub(1))
      _ = try claim("studio", for: HubID(1), at: one)
      _ = try claim("other", for: HubID(1), at: one)
      let listed = try #require(try two.hubs().first)
      #expect(listed.libraries == 2 && listed.url == "https://hub1" && listed.machine == "m1")
    },
    Self(name: "a name is given once") { (one, two) throws in
      #expect(try one.create(library(1), named: "studio", schema: 0))
      #expect(try !two.create(library(2), named: "studio", schema: 0))
      #expect(try two.look("studio")?.id == library(1))
      #expect(try two.look("none") == nil)
      #expect(try two.create(library(3), named: "another", schema: 0))
      #expect(try one.list().map(\.name) == ["another", "studio"])
    },
    Self(name: "what is dropped is gone, and its owner is fenced") { (one, two) throws in
      var claim = try claim("studio", for: HubID(1), at: one)
      let first = try append("a", to: one, claim)
      #expect(try two.drop(claim.library))
      #expect(try !two.drop(claim.library))
      #expect(try two.look("studio") == nil)
      #expect(try two.tail(of: claim.library, after: 0) == [])
      #expect(outcome { _ = try append("b", after: first, to: one, claim) } == .fenced)
      #expect(try two.create(library(9), named: "studio", schema: 0))
      claim.epoch = 0
      #expect(try !one.letGo(claim))
    },
  ]

  static let owning: [Self] = [
    Self(name: "what is free is taken once") { (one, two) throws in
      _ = try one.create(library(1), named: "studio", schema: 3)
      let seen = try #require(try one.look("studio"))
      #expect(try one.take(seen, because: .free, for: HubID(1), schema: 2) == nil)
      #expect(try one.take(seen, because: .free, for: HubID(1), schema: 3)?.epoch == 1)
      #expect(try two.take(seen, because: .free, for: HubID(2), schema: 3) == nil)
      let now = try #require(try two.look("studio"))
      #expect(now.owner == HubID(1) && now.hub == nil)
      #expect(try two.take(now, because: .free, for: HubID(2), schema: 3) == nil)
    },
    Self(name: "a hub whose beat stood still is declared dead with the taking") {
      (one, two) throws in
      try one.register(hub(1))
      let claim = try claim("studio", for: HubID(1), at: one)
      _ = try one.beat(HubID(1))
      let seen = try #require(try two.look("studio"))
      #expect(seen.hub?.beat == 1)
      let older = LogTaking.stoodStill(HubID(1), beat: 0)
      #expect(try two.take(seen, because: older, for: HubID(2), schema: 9) == nil)
      #expect(try one.beat(HubID(1))?.beat == 2)
      let still = LogTaking.stoodStill(HubID(1), beat: 2)
      #expect(try two.take(seen, because: still, for: HubID(2), schema: 9)?.epoch == 2)
      #expect(try one.beat(HubID(1)) == nil)
      #expect(outcome { _ = try append("a", to: one, claim) } == .fenced)
    },
    Self(name: "what a dead hub owns is taken, on the epoch that was read") { (one, two) throws in
      try one.register(hub(1))
      _ = try claim("studio", for: HubID(1), at: one)
      try two.bury(HubID(1))
      let seen = try #require(try two.look("studio"))
      #expect(seen.hub?.isDead == true)
      #expect(try two.take(seen, because: .dead(HubID(1)), for: HubID(2), schema: 9)?.epoch == 2)
      #expect(try one.take(seen, because: .dead(HubID(1)), for: HubID(3), schema: 9) == nil)
    },
    Self(name: "the owner learns who wants a library") { (one, two) throws in
      try one.register(hub(1))
      let claim = try claim("studio", for: HubID(1), at: one)
      let seen = try #require(try two.look("studio"))
      #expect(try two.want(seen, for: HubID(2)))
      #expect(try one.beat(HubID(1))?.owned[claim.library]?.wanted == HubID(2))
      #expect(try one.letGo(claim))
      #expect(try !one.letGo(claim))
      #expect(try !two.want(seen, for: HubID(2)))
      let free = try #require(try two.look("studio"))
      #expect(free.owner == nil && free.wanted == HubID(2) && free.state.epoch == 1)
      try two.register(hub(2))
      #expect(try two.take(free, because: .free, for: HubID(2), schema: 9) != nil)
      #expect(try two.look("studio")?.wanted == nil)
    },
    Self(name: "the end of a doubt fences what is on its way") { (one, two) throws in
      var claim = try claim("studio", for: HubID(1), at: one)
      let first = try append("a", to: one, claim)
      let state = try #require(try two.endDoubt(claim))
      #expect(state.epoch == 2 && state.head == 1 && state.hash == first.position.hash)
      #expect(outcome { _ = try append("b", after: first, to: one, claim) } == .fenced)
      #expect(try two.endDoubt(claim) == nil)
      claim.epoch = 2
      _ = try append("b", after: first, to: one, claim)
    },
  ]
}
