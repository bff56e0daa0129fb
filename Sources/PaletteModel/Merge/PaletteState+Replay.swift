extension PaletteState {
  /// The state that a set of changes amounts to, whatever is missing between them.
  ///
  /// Reading the past leaves out single changes of an author whose clock was wrong, so sequences may
  /// have holes here, and nothing can be merged into the result.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - changes: The changes, in any order, each with its bytes.
  ///   - marks: Values to take as replaced, and dots to take as covered, before all of them.
  package init(
    _ palette: PaletteID,
    of changes: some Sequence<(change: Change, bytes: [UInt8])>,
    marks: Set<PendingReference> = []
  ) {
    self.init(palette)
    var marks = marks
    for (change, _) in changes { marks.formUnion(change.marks) }
    for (change, bytes) in changes {
      let dot = change.dot
      let hash = ChangeHash(of: bytes, in: palette)
      log[dot] = bytes
      facts[dot] = ChangeFacts(stamp: change.stamp, hash: hash)
      if dot.sequence > frontier[dot.node]?.sequence ?? 0 {
        frontier[dot.node] = StreamHead(sequence: dot.sequence, link: hash.link)
      }
      if change.kind.writesRegisters { highestWrite.join([dot]) }
      if change.kind == .drop { dropped.join(change.frontier + [dot]) }
      insertLiveValues(of: change, marks)
    }
    digest = computedDigest
  }

  private mutating func insertLiveValues(of change: Change, _ marks: Set<PendingReference>) {
    let covered = PendingReference(record: change.record, dot: change.dot, register: nil)
    for write in change.writes {
      let replaced = PendingReference(
        record: change.record,
        dot: change.dot,
        register: write.register
      )
      guard !marks.contains(replaced) else { continue }
      records[change.record, default: RecordState()].insert(
        LiveValue(
          register: write.register,
          dot: change.dot,
          isCovered: marks.contains(covered),
          value: write.value
        )
      )
    }
  }
}

extension Change {
  /// What the change says of other dots: replaced for a register, or covered.
  package var marks: [PendingReference] {
    writes.flatMap { write in
      write.saw.map { PendingReference(record: record, dot: $0, register: write.register) }
    } + covers.map { PendingReference(record: record, dot: $0, register: nil) }
  }
}
