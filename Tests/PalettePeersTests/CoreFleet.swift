import Foundation
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteSync
import PaletteTestSupport

@testable import PalettePeers

/// A few node cores on real stores, with a network that a seed drives.
final class CoreFleet {
  /// One node: its library on disk, its core, and its end of every connection.
  final class Member {
    let library: TemporaryLibrary
    /// How far the member's clock is off.
    let skew = ManualClock(milliseconds: 0)
    var store: ChangeStore
    var core: NodeCore

    init(seed: UInt64, clock: ManualClock) throws {
      library = try TemporaryLibrary()
      let skew = skew
      store = try ChangeStore(
        writing: library.folder,
        random: SeededRandom(seed: seed),
        milliseconds: { clock.milliseconds + skew.milliseconds }
      )
      core = try NodeCore(store, random: SeededRandom(seed: ~seed))
    }
  }

  private struct Wire {
    let ends: [Int]
    var inboxes: [[[UInt8]]] = [[], []]
    var isOpen = true
  }

  let clock = ManualClock()
  /// Whether connections can be made at all.
  var isReachable = true
  private(set) var members: [Member] = []
  private(set) var problems: [String] = []
  /// Whether cores merge what arrived; without it everything piles up.
  var flushes = true
  private var wires: [UInt64: Wire] = [:]
  private var lastWire: UInt64 = 0
  private(set) var random: SeededRandom
  private var seed: UInt64

  init(count: Int, seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    self.seed = seed &* 1000
    for index in 0..<count {
      members.append(try Member(seed: seed &* 1000 + UInt64(index), clock: clock))
    }
  }

  /// Adds a member, and returns its number.
  func addMember() throws -> Int {
    members.append(try Member(seed: seed + UInt64(members.count), clock: clock))
    return members.count - 1
  }

  /// Lets one member join another with a join code of some role.
  func join(_ member: Int, to hub: Int, role: Role = .relay, palette: PaletteID? = nil) throws {
    let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let grant = Grant(role, on: palette)
    try members[hub].store.members.offer(
      grant,
      code: secret,
      codeExpiresMilliseconds: members[hub].store.nowMilliseconds + 600_000
    )
    let ticket = JoinTicket(
      addresses: ["member-\(hub)"],
      code: secret,
      grant: grant,
      library: members[hub].store.library
    )
    try carryOut(members[member].core.handle(.joined(ticket)), of: member)
  }

  /// Acts as a user at a member.
  func act(
    _ edits: [Edit],
    in palette: PaletteID,
    at member: Int,
    by author: AuthorID = .library
  ) throws {
    try members[member].store.write(as: author) { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: palette).act(edits)
    }
    try tick(member)
  }

  /// Lets a member look at the time and at what was committed.
  func tick(_ member: Int) throws {
    try carryOut(members[member].core.handle(.tick), of: member)
  }

  /// Cuts all connections of a member; what is under way is lost.
  func cut(_ member: Int) throws {
    for (number, wire) in wires where wire.isOpen && wire.ends.contains(member) {
      wires[number]?.inboxes = [[], []]
      try close(number)
    }
  }

  /// Ends a member's process without a word, and starts it again from a copy of its folder or not.
  func restart(_ member: Int, onFolder prepare: (LibraryFolder) throws -> Void = { _ in }) throws {
    for (number, wire) in wires where wire.isOpen && wire.ends.contains(member) {
      wires[number]?.isOpen = false
      for end in 0..<2 where wire.ends[end] != member {
        let other = wire.ends[end]
        try carryOut(
          members[other].core.handle(
            .closed(PeerConnectionID(rawValue: number), code: 1006, reason: "")
          ),
          of: other
        )
      }
    }
    let old = members[member]
    old.core = try NodeCore(ephemeralStore(), random: SeededRandom(seed: 0))
    old.store = try ephemeralStore()
    try prepare(old.library.folder)
    seed += 7
    let (clock, skew) = (clock, old.skew)
    old.store = try ChangeStore(
      writing: old.library.folder,
      random: SeededRandom(seed: seed),
      milliseconds: { clock.milliseconds + skew.milliseconds }
    )
    old.core = try NodeCore(old.store, random: SeededRandom(seed: ~seed))
  }

  /// What is in the files of a member that is restarted for this.
  func image(of member: Int) throws -> [String: Data] {
    var image: [String: Data] = [:]
    try restart(member) { folder in
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        image[name] = try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))
      }
    }
    return image
  }

  /// Rolls a member's files back in place, as the snapshot of a virtual machine does: nothing on
  /// the machine can tell.
  func rollBack(_ member: Int, to image: [String: Data]) throws {
    try restart(member) { folder in
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where image[name] == nil {
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
      }
      for (name, data) in image { try data.write(to: URL(filePath: "\(folder.path)/\(name)")) }
    }
  }

  private var spare: TemporaryLibrary?

  /// A store that holds nothing, to let go of the real one.
  private func ephemeralStore() throws -> ChangeStore {
    let library = try TemporaryLibrary()
    spare = library
    return try ChangeStore(writing: library.folder)
  }

  /// Lets time pass and frames arrive in a random order until nothing happens any more.
  func settle(rounds: Int = 40) throws {
    for _ in 0..<rounds {
      clock.milliseconds += 40_000
      for member in members.indices { try tick(member) }
      try deliver(limit: 100_000)
    }
  }

  /// Delivers up to a number of frames.
  func deliver(limit: Int) throws {
    for _ in 0..<limit {
      let busy = wires.flatMap { number, wire in
        (0..<2).filter { wire.isOpen && !wire.inboxes[$0].isEmpty }.map { (number, $0) }
      }.sorted { $0 < $1 }
      guard let (number, end) = busy.randomElement(using: &random) else { return try flushAll() }
      guard let frame = wires[number]?.inboxes[end].removeFirst(),
        let member = wires[number]?.ends[end]
      else { return }
      try carryOut(
        members[member].core.handle(.received(PeerConnectionID(rawValue: number), frame)),
        of: member
      )
      if flushes, random.chance(0.3) { try carryOut(members[member].core.flush(), of: member) }
    }
    try flushAll()
  }

  private func flushAll() throws {
    guard flushes else { return }
    for member in members.indices { try carryOut(members[member].core.flush(), of: member) }
    let isIdle =
      wires.values.allSatisfy { !$0.isOpen || $0.inboxes.allSatisfy(\.isEmpty) }
      && members.allSatisfy { $0.core.nextFlushMilliseconds != 0 }
    if !isIdle { try deliver(limit: 100_000) }
  }

  func carryOut(_ effects: [NodeEffect], of member: Int) throws {
    for effect in effects {
      switch effect {
      case .send(let connection, let frame):
        let number = connection.rawValue
        // A copy of the wire would have its inbox copied for each frame.
        guard wires[number]?.isOpen == true, let ends = wires[number]?.ends else { continue }
        wires[number]?.inboxes[ends[0] == member ? 1 : 0].append(frame)
      case .sendShared(let connection, let frames):
        try carryOut(frames.frames.map { .send(connection, $0) }, of: member)
      case .close(let connection, _, _): try close(connection.rawValue)
      case .dial(let url, _, _, _): try dial(url, from: member)
      case .log(_, let isProblem, let text, _): if isProblem { problems.append(text) }
      case .greeted, .named, .peersChanged, .cancelDials, .doubt: break
      }
    }
  }

  private func dial(_ url: String, from member: Int) throws {
    guard let hub = Int(url.dropFirst("member-".count)) else { return }
    guard isReachable else {
      let event = NodeEvent.dialFailed(url: url, address: url, error: "unreachable")
      return try carryOut(members[member].core.handle(event), of: member)
    }
    lastWire += 1
    let number = lastWire
    wires[number] = Wire(ends: [member, hub])
    let connection = PeerConnectionID(rawValue: number)
    try carryOut(members[hub].core.handle(.accepted(connection)), of: hub)
    try carryOut(
      members[member].core.handle(.dialed(connection, url: url, address: url)),
      of: member
    )
  }

  private func close(_ number: UInt64) throws {
    guard let wire = wires[number], wire.isOpen else { return }
    wires[number]?.isOpen = false
    for end in 0..<2 {
      let member = members[wire.ends[end]]
      let connection = PeerConnectionID(rawValue: number)
      // What was sent before the close still arrives.
      for frame in wire.inboxes[end] {
        try carryOut(member.core.handle(.received(connection, frame)), of: wire.ends[end])
      }
      try carryOut(
        member.core.handle(.closed(connection, code: 1000, reason: "")),
        of: wire.ends[end]
      )
    }
  }
}

extension CoreFleet {
  /// The newest connection that a member dialed, made if need be.
  func connection(of member: Int) throws -> PeerConnectionID? {
    for _ in 0..<20 where members[member].core.dialers.values.allSatisfy({ $0.state != .live }) {
      clock.milliseconds += 1_000
      try tick(member)
      try deliver(limit: 4)
    }
    return members[member].core.dialers.values.compactMap(\.connection).first
  }

  /// Takes back all that a member granted to another.
  func revoke(_ other: Int, at member: Int) throws {
    let library = members[other].store.library
    for (grant, holder) in try members[member].store.members.grants()
    where holder?.library == library {
      _ = try members[member].store.members.revokeGrant(grant.uid)
    }
    try carryOut(members[member].core.handle(.rightsChanged), of: member)
  }
}
