import PaletteFleet
import PaletteStore
import Testing

extension SharedLogContract {
  static let entries: [Self] = [
    Self(name: "entries come back as they were appended, in order") { (one, two) throws in
      let claim = try claim("studio", for: HubID(1), at: one)
      let first = try append("a", to: one, claim)
      let second = try append("b", after: first, to: one, claim)
      #expect(try two.tail(of: claim.library, after: 0) == [first, second])
      #expect(try two.tail(of: claim.library, after: 1) == [second])
      #expect(try two.tail(of: claim.library, after: 2) == [])
      let seen = try #require(try two.look("studio"))
      #expect(seen.state.head == 2 && seen.state.hash == second.position.hash && seen.bytes == 2)
    },
    Self(name: "an append needs owner, epoch, head and hash") { (one, _) throws in
      let claim = try claim("studio", for: HubID(1), at: one)
      let first = try append("a", to: one, claim)
      let other = LogClaim(claim.library, hub: HubID(2), epoch: 1)
      let later = LogClaim(claim.library, hub: HubID(1), epoch: 2)
      let behind = entry(1, hash(7), [1])
      let beyond = entry(3, hash(7), [1])
      let next = entry(2, hash(7), [1])
      for (entry, before, claim) in [
        (next, first.position.hash, other), (next, first.position.hash, later),
        (behind, first.position.hash, claim),
        (beyond, first.position.hash, claim), (next, hash(9), claim),
      ] {
        #expect(outcome { try one.append(entry, after: before, as: claim) } == .fenced)
      }
      #expect(try one.tail(of: claim.library, after: 0) == [first])
      try one.append(next, after: first.position.hash, as: claim)
    },
    Self(name: "a long tail comes in pieces, and any byte is kept") { (one, two) throws in
      let claim = try claim("studio", for: HubID(1), at: one)
      var last = try append("", to: one, claim)
      for number in 2...300 {
        let changes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number)
        let next = entry(Int64(number), hash(UInt8(truncatingIfNeeded: number)), changes)
        try one.append(next, after: last.position.hash, as: claim)
        last = next
      }
      #expect(try two.tail(of: claim.library, after: 0).count == logTailEntries)
      let rest = try two.tail(of: claim.library, after: 256)
      #expect(rest.map(\.position.number) == Array(257...300) && rest.last == last)
    },
  ]

  static let images: [Self] = [
    Self(name: "an image is switched once, forward, and no further than the head") {
      (one, two) throws in
      let claim = try claim("studio", for: HubID(1), at: one)
      let second = try append("b", after: try append("a", to: one, claim), to: one, claim)
      try one.addPart(0, of: 2, [0, 1], as: claim)
      try one.addPart(0, of: 2, [0, 2], as: claim)
      try one.addPart(1, of: 2, [255], as: claim)
      let image = LogImage(number: 2, epoch: 1, parts: 2, hash: hash(5))
      let beyond = LogImage(number: 3, epoch: 1, parts: 2, hash: hash(5))
      #expect(try !one.switchImage(to: beyond, as: claim))
      #expect(try one.switchImage(to: image, as: claim))
      #expect(try !one.switchImage(to: image, as: claim))
      #expect(try two.look("studio")?.state.image == image)
      #expect(try two.part(0, of: image, in: claim.library) == [0, 2])
      #expect(try two.part(1, of: image, in: claim.library) == [255])
      #expect(try two.part(2, of: image, in: claim.library) == nil)
      try one.prune(through: 9, as: claim)
      #expect(try two.tail(of: claim.library, after: 0) == [second])
    },
    Self(name: "the growth is that behind the image") { (one, two) throws in
      let claim = try claim("studio", for: HubID(1), at: one)
      #expect(try two.growth(of: claim.library) == LogGrowth(behind: 0, image: 0))
      let second = try append("bb", after: try append("a", to: one, claim), to: one, claim)
      #expect(try two.growth(of: claim.library) == LogGrowth(behind: 3, image: 0))
      try one.addPart(0, of: 1, [1, 2, 3, 4], as: claim)
      try one.addPart(1, of: 1, [5], as: claim)
      try one.addPart(0, of: 2, [6], as: claim)
      let image = LogImage(number: 1, epoch: 1, parts: 2, hash: hash(5))
      #expect(try one.switchImage(to: image, as: claim))
      #expect(try two.growth(of: claim.library) == LogGrowth(behind: 2, image: 5))
      _ = try append("cccc", after: second, to: one, claim)
      #expect(try two.growth(of: claim.library) == LogGrowth(behind: 6, image: 5))
    },
    Self(name: "much is removed, too") { (one, two) throws in
      let claim = try claim("studio", for: HubID(1), at: one)
      var last = try append("", to: one, claim)
      for _ in 2...1_100 { last = try append("a", after: last, to: one, claim) }
      for part in 0..<70 { try one.addPart(part, of: 1, [1], as: claim) }
      try one.addPart(0, of: 1_090, [2], as: claim)
      let image = LogImage(number: 1_090, epoch: 1, parts: 1, hash: hash(5))
      #expect(try one.switchImage(to: image, as: claim))
      try one.prune(through: .max, as: claim)
      #expect(try two.tail(of: claim.library, after: 0).first?.position.number == 1_090)
      try one.sweep(as: claim)
      let old = LogImage(number: 1, epoch: 1, parts: 70, hash: hash(5))
      for part in 0..<70 { #expect(try two.part(part, of: old, in: claim.library) == nil) }
      #expect(try two.part(0, of: image, in: claim.library) == [2])
      #expect(try two.drop(claim.library))
    },
    Self(name: "nothing is pruned before there is an image") { (one, _) throws in
      let claim = try claim("studio", for: HubID(1), at: one)
      let first = try append("a", to: one, claim)
      try one.prune(through: 1, as: claim)
      #expect(try one.tail(of: claim.library, after: 0) == [first])
    },
    Self(name: "a jump needs its parts, and is an entry") { (one, two) throws in
      let claim = try claim("studio", for: HubID(1), at: one)
      let first = try append("a", to: one, claim)
      let image = LogImage(number: 2, epoch: 1, parts: 2, hash: hash(5))
      let jumped = entry(2, hash(6), nil)
      try one.addPart(0, of: 2, [1], as: claim)
      let jump = {
        try one.jump(jumped, to: image, schema: 4, after: first.position.hash, as: claim)
      }
      #expect(outcome(jump) == .fenced)
      try one.addPart(1, of: 2, [2], as: claim)
      try jump()
      let state = LogState(epoch: 1, schema: 4, head: 2, hash: hash(6), image: image)
      #expect(try two.look("studio")?.state == state)
      #expect(try two.tail(of: claim.library, after: 1) == [jumped])
      _ = try append("c", after: jumped, to: one, claim)
    },
    Self(name: "who lost a library neither adds to its images nor removes them") {
      (one, two) throws in
      let old = try claim("studio", for: HubID(1), at: one)
      _ = try append("a", to: one, old)
      try one.addPart(0, of: 1, [1], as: old)
      let image = LogImage(number: 1, epoch: 1, parts: 1, hash: hash(5))
      #expect(try one.switchImage(to: image, as: old))
      let state = try #require(try two.endDoubt(old))
      #expect(outcome { try one.addPart(0, of: 1, [9], as: old) } == .fenced)
      #expect(try !one.switchImage(to: image, as: old))
      let now = LogClaim(old.library, hub: old.hub, epoch: state.epoch)
      try two.addPart(0, of: 2, [2], as: now)
      let next = LogImage(number: 2, epoch: now.epoch, parts: 1, hash: hash(6))
      try one.sweep(as: old)
      #expect(try two.part(0, of: next, in: old.library) == [2])
      try two.sweep(as: now)
      #expect(try two.part(0, of: next, in: old.library) == nil)
      #expect(try two.part(0, of: image, in: old.library) == [1])
    },
  ]
}

/// A hub that is easily told.
func hub(_ number: Int64) -> LogHub {
  LogHub(
    id: HubID(number),
    name: "hub\(number)",
    machine: "m\(number)",
    url: "https://hub\(number)"
  )
}

/// A library's id that is easily told.
func library(_ number: UInt8) -> SharedLibraryID {
  guard let id = SharedLibraryID([UInt8](repeating: number, count: 16)) else {
    preconditionFailure("16 bytes are an id")
  }
  return id
}

/// A hash that is easily told.
func hash(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 16) }

/// Makes a library and takes it.
func claim(_ name: String, for hub: HubID, at log: any SharedLog) throws -> LogClaim {
  let id = library(name.utf8.reduce(0, &+))
  #expect(try log.create(id, named: name, schema: 0))
  let seen = try #require(try log.look(name))
  let state = try #require(try log.take(seen, because: .free, for: hub, schema: 9))
  return LogClaim(id, hub: hub, epoch: state.epoch)
}

/// Appends an entry with some text, behind another one.
func append(
  _ text: String,
  after last: LogEntry? = nil,
  to log: any SharedLog,
  _ claim: LogClaim
) throws -> LogEntry {
  let number = (last?.position.number ?? 0) + 1
  let mark = hash(UInt8(truncatingIfNeeded: number &* 16 &+ claim.epoch))
  let entry = LogEntry(
    position: CachePosition(number: number, epoch: claim.epoch, hash: mark),
    content: Array(text.utf8)
  )
  try log.append(entry, after: last?.position.hash ?? hash(0), as: claim)
  return entry
}

/// The outcome of something that fails.
func outcome(_ action: () throws -> Void) -> SharedLogError.Outcome? {
  do {
    try action()
    return nil
  } catch {
    return (error as? SharedLogError)?.outcome
  }
}

/// An entry of the first epoch.
private func entry(_ number: Int64, _ hash: [UInt8], _ content: [UInt8]?) -> LogEntry {
  LogEntry(position: CachePosition(number: number, epoch: 1, hash: hash), content: content)
}
