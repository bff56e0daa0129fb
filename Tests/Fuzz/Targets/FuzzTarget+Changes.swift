import PaletteMerge
import PaletteModel
import PaletteTestSupport

extension FuzzTarget {
  static let changes = FuzzTarget(
    name: "changes",
    summary: "a change",
    seeds: { try Examples.state().changes },
    check: { bytes in
      guard
        let change = try accepted(
          bytes,
          { () throws(MalformedChange) in try Change(decoding: bytes, in: Examples.palette) }
        )
      else { return }
      let encoded = change.encoded
      try ensure(encoded == bytes, "not the one encoding: \(change)")
      try ensure(
        try Change(decoding: encoded, in: Examples.palette) == change,
        "it means something else"
      )
      for write in change.writes { try checkShown(write) }
    }
  )

  /// Whatever merges is shown to people, and may be exported and imported again.
  private static func checkShown(_ write: Change.Write) throws {
    guard write.register == .color, let color = write.value.color else { return }
    try ensure(RegisterValue(color: color) == write.value, "a color has two encodings: \(color)")
    try ensure(Color(hex: color.hex.dropFirst()) != nil, "\(color.hex) is no hex")
    _ = HSBColor(color)
    let text = color.css
    do {
      _ = try Color(css: text)
    } catch {
      throw Violation(description: "\(text) cannot be read again: \(error)")
    }
  }

  static let merge = FuzzTarget(
    name: "merge",
    summary: "changes in any order: same state, same digest",
    lengthLimit: 4096,
    seeds: {
      let changes = try Examples.state().changes
      return [.joining(changes), .joining(changes.reversed())]
        + changes.indices.map { .joining(Array(changes[...$0])) }
    },
    check: { bytes in
      let state = try MergeOrders(bytes.chunks).check()
      try ensure(state.computedDigest == state.digest, "the digest drifted")
    }
  )
}

/// Changes of several authors, made to continue one another, and merged in several orders.
struct MergeOrders {
  private var changes: [(node: NodeID, bytes: [UInt8])] = []
  private var inOrder = PaletteState(Examples.palette)

  init(_ inputs: [[UInt8]]) throws {
    for input in inputs {
      guard var change = try? Change(decoding: input, in: Examples.palette) else { continue }
      // Sequence and link make the difference between a change and one that can be merged here.
      let head = inOrder.frontier[change.dot.node]
      change = Change(
        dot: Dot(change.dot.node, (head?.sequence ?? 0) + 1),
        stamp: change.stamp,
        previous: head?.link ?? 0,
        record: change.record,
        kind: change.kind,
        writes: change.writes.map {
          Change.Write($0.register, saw: proven($0.saw), value: $0.value)
        },
        covers: proven(change.covers),
        frontier: proven(change.frontier)
      )
      let bytes = change.encoded
      // It may claim to have seen itself now.
      guard (try? Change(decoding: bytes, in: Examples.palette)) != nil else { continue }
      try inOrder.merge(bytes)
      changes.append((change.dot.node, bytes))
    }
  }

  /// Dots that were seen, half of which as they are: other proofs than before fit now.
  private func proven(_ seen: [SeenDot]) -> [SeenDot] {
    seen.map { seen in
      guard let proof = seen.proof, proof & 1 == 0, let bytes = inOrder.log[seen.dot] else {
        return seen
      }
      return SeenDot(seen.dot, proof: ChangeHash(of: bytes, in: Examples.palette).proof)
    }
  }

  func check() throws -> PaletteState {
    let authors = Set(changes.map(\.node)).sorted()
    let byAuthor = authors.flatMap { author in changes.filter { $0.node == author } }
    let backwards = authors.reversed().flatMap { author in changes.filter { $0.node == author } }
    for order in [byAuthor, backwards, turns()] {
      var state = PaletteState(Examples.palette)
      for change in order { try ensure(try state.merge(change.bytes), "taken for known") }
      try same(state, "another order")
    }
    var state = inOrder
    for change in changes { try ensure(try !state.merge(change.bytes), "taken twice") }
    try same(state, "merging again")
    try checkSnapshots(byAuthor)
    return inOrder
  }

  /// One change of each author in turn.
  private func turns() -> [(node: NodeID, bytes: [UInt8])] {
    var counts: [NodeID: Int] = [:]
    let numbered = changes.map { change in
      counts[change.node, default: 0] += 1
      return (turn: counts[change.node] ?? 0, change: change)
    }
    return numbered.sorted { ($0.turn, $1.change.node) < ($1.turn, $0.change.node) }.map(\.change)
  }

  /// A snapshot does what the changes behind it would do, whatever is held before.
  private func checkSnapshots(_ order: [(node: NodeID, bytes: [UInt8])]) throws {
    var known = PaletteState(Examples.palette)
    for change in order.prefix(order.count / 2) { try known.merge(change.bytes) }
    for var state in [PaletteState(Examples.palette), known, inOrder] {
      try state.merge(inOrder.snapshot)
      try same(state, "a snapshot")
    }
  }

  private func same(_ state: PaletteState, _ way: String) throws {
    try ensure(
      state.digest == inOrder.digest && state.frontier == inOrder.frontier
        && state.records == inOrder.records && state.dropped == inOrder.dropped
        && state.highestWrite == inOrder.highestWrite && state.ahead == inOrder.ahead
        && state.listed == inOrder.listed && state.name == inOrder.name,
      "\(way) gives another state"
    )
  }
}
