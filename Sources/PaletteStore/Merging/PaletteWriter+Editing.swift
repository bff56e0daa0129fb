public import PaletteMerge
internal import PaletteModel

extension PaletteWriter {
  /// Carries out what a user did in this palette, as one action that can be undone.
  ///
  /// An edit that changes nothing writes nothing.
  ///
  /// - Parameters:
  ///   - edits: What is to be done, in order.
  ///   - claim: What others are told that it was, where its changes alone do not tell.
  ///   - report: Receives the number of edits carried out now and then; what it throws ends the action.
  /// - Returns: Whether anything was written.
  /// - Throws: `StoreError` when the store failed, or what `report` throws.
  @discardableResult
  public func act(
    _ edits: some Sequence<Edit>,
    as claim: ActionClaim? = nil,
    report: (Int) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    var steps: [UndoStep] = []
    try carryOut(edits, &steps, report: report)
    return try push(whole: steps, as: claim)
  }

  /// Puts an action on the undo stack unless it did nothing, and says what it was.
  func push(whole steps: [UndoStep], as claim: ActionClaim?) throws(StoreError) -> Bool {
    guard !steps.isEmpty else { return false }
    if let claim { try say(claim) }
    _ = try undoStack.push(steps, of: currentAction(), in: row)
    return true
  }

  /// Says what the action was that the transaction makes.
  func say(_ claim: ActionClaim) throws(StoreError) {
    let record = RecordID.actions(of: try node(of: authorID))
    try author(.set(record, [.action: RegisterValue(claim: claim)]))
  }

  /// Carries out edits, and records how to undo them.
  func carryOut(
    _ edits: some Sequence<Edit>,
    _ steps: inout [UndoStep],
    report: (Int) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) {
    var count = 0
    try gatheringRows { () throws(StoreError) in
      for edit in edits {
        try act(edit, &steps)
        count += 1
        if count.isMultiple(of: 4_096) { try report(count) }
      }
    }
  }

  /// Carries out what a diff asks for, up to so many edits.
  func carryOut(
    _ edits: inout DiffEdits,
    _ steps: inout [UndoStep],
    atMost limit: Int = .max,
    seeing seen: (RecordID) -> SeenValues? = { _ in nil },
    report: (Int) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) {
    var count = 0
    try gatheringRows { () throws(StoreError) in
      while count < limit, let edit = try edits.next(in: self, seeing: seen) {
        try act(edit, &steps)
        count += 1
        if count.isMultiple(of: 4_096) { try report(count) }
      }
    }
  }

  /// Carries out one edit, and records how to undo it.
  func act(_ edit: Edit, _ steps: inout [UndoStep]) throws(StoreError) {
    let known = edit.seen?.following(parts.reissued[id])
    guard let edit = try effective(edit.seeing(known)) else { return }
    let before = try shownValues(edit)
    let change = try author(edit)
    for step in Self.steps(of: edit, change, before: before) { steps.record(step) }
  }

  /// The edit without writes that change nothing; nil when nothing is left of it.
  ///
  /// Setting a register that has different live values is a write in any case: it decides.
  private func effective(_ edit: Edit) throws(StoreError) -> Edit? {
    switch edit.kind {
    case .add, .restore, .drop: return edit
    case .delete: return try state(of: edit.record).limited(to: edit.seen).isVisible ? edit : nil
    case .set:
      let state = try state(of: edit.record)
      let seen = state.limited(to: edit.seen)
      func isThere(_ write: Change.Write) -> Bool {
        state.agrees(on: write.value, in: write.register)
          || seen.agrees(on: write.value, in: write.register)
      }
      guard edit.writes.contains(where: isThere) else { return edit }
      let writes = edit.writes.filter { !isThere($0) }
      return writes.isEmpty ? nil : .set(edit.record, writes: writes).seeing(edit.seen)
    }
  }

  /// For each write of an edit, the value that was shown before.
  private func shownValues(_ edit: Edit) throws(StoreError) -> [RegisterValue?] {
    guard edit.kind == .set else { return [] }
    var values: [RegisterValue?] = []
    for write in edit.writes { values.append(try shown(write.register, of: edit.record)?.value) }
    return values
  }

  private static func steps(
    of edit: Edit,
    _ change: Change,
    before: [RegisterValue?]
  ) -> [UndoStep] {
    switch edit.kind {
    case .add:
      [.added(change.dot.node, first: change.dot.sequence, last: change.dot.sequence)]
    case .set:
      zip(change.writes, before).map {
        .wrote(edit.record, $0.register, before: $1, after: $0.value)
      }
    case .delete: [.deleted(edit.record)]
    case .restore: edit.value(of: .place).map { [.restored(edit.record, $0)] } ?? []
    case .drop: []
    }
  }

  /// Makes the next change of the transaction's author and merges it.
  ///
  /// An edit that names more values than fit into one change becomes several, so that every record stays
  /// editable. The last one completes the edit.
  ///
  /// - Returns: The last change.
  /// - Throws: `StoreError` when the store failed, or the values alone are too long.
  @discardableResult
  public func author(_ edit: Edit) throws(StoreError) -> Change {
    let isFirst = try isFirst(edit.kind, edit.record, edit.writes)
    var rest = edit
    var change = try nextChange(edit, isFirst: isFirst)
    var bytes = change.encoded
    while bytes.count > ChangeLimits.changeBytes, let part = change.part {
      try append(own: part, part.encoded, isFirst: false)
      rest = rest.seeing(alsoOwn: part.dot)
      change = try nextChange(rest, isRest: true)
      bytes = change.encoded
    }
    try append(own: change, bytes, isFirst: isFirst)
    return change
  }

  private func append(own change: Change, _ bytes: [UInt8], isFirst: Bool) throws(StoreError) {
    guard bytes.count <= ChangeLimits.changeBytes else {
      throw StoreError(
        code: .failed,
        message: "the edit needs more than \(ChangeLimits.changeBytes) bytes"
      )
    }
    let hash = ChangeHash(of: bytes, in: id)
    try append(change, ChangeBytes(bytes), hash, isFirst: isFirst)
  }

  /// Makes the change that carries out an edit.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - isFirst: Whether nothing is held of the record.
  ///   - isRest: Whether it is to leave out what is covered or hidden already.
  /// - Returns: The change, not yet merged.
  /// - Throws: `StoreError` when the store failed, or this node has no sequence numbers left.
  private func nextChange(
    _ edit: Edit,
    isFirst: Bool = false,
    isRest: Bool = false
  ) throws(StoreError) -> Change {
    let node = try node(of: authorID)
    try introduceAuthor(node)
    let head = streams[node]?.head
    guard head?.sequence ?? 0 < Dot.lastSequence - 1 else {
      throw StoreError(code: .failed, message: "this node has no sequence numbers left here")
    }
    let state = isFirst ? RecordState() : try state(of: edit.record)
    let proof = { (dot: Dot) throws(StoreError) in try self.facts(of: dot).hash.proof }
    var change = try edit.change(
      dot: Dot(node, (head?.sequence ?? 0) + 1),
      stamp: try nextStamp(of: node),
      previous: head?.link ?? 0,
      frontier: streams.frontier,
      state: state,
      proof: proof
    )
    if isRest, !edit.kind.writesRegisters {
      let dots = state.limited(to: edit.seen).uncoveredDots
      change.covers = try change.seeing(dots, proof: proof)
      change.frontier.removeAll { $0.dot.sequence <= streams[$0.dot.node]?.dropped ?? 0 }
    }
    return change
  }
}

/// The action that the transaction makes.
extension PaletteWriter {
  /// The stamp of the next change of a node id of this library.
  func nextStamp(of node: NodeID) throws(StoreError) -> Stamp {
    try actionStamp.next(
      after: streams[node],
      atMilliseconds: parts.clock.correctedMilliseconds
    ) { stream throws(StoreError) in
      // Spilled counters may lead into the next millisecond, so all that are near count.
      let now = parts.clock.correctedMilliseconds
      var stamps: Set<Stamp> = []
      try arrivedRows(of: stream) { stamp in
        if stamp.milliseconds == now || stamp.milliseconds == now &+ 1 { stamps.insert(stamp) }
      }
      return stamps
    }
  }

  /// The action that the transaction's changes belong to; nil while it has made none.
  func currentAction() throws(StoreError) -> ActionID? {
    guard let stamp = actionStamp.known else { return nil }
    return ActionID(stamp, by: try node(of: authorID))
  }

  private func arrivedRows(
    of stream: StreamRow,
    _ body: (Stamp) -> Void
  ) throws(StoreError) {
    let select = try database.box(.newestChangeRows)
    try select.statement.bind(stream.changeNumber(0), at: 1)
    try select.statement.bind(stream.changeNumber(.max), at: 2)
    try select.statement.rows { row in
      if let stamp = row.withBytes(1, { ChangeRow.stamp(of: $0) }) { body(stamp) }
    }
  }
}

/// Proofs of what changes that are made again say.
extension PaletteWriter {
  /// Dots as a change of an author says to have seen them, in order and each once; a proof that is not
  /// there is looked up.
  ///
  /// Without one nothing can be said, and others go on showing what they hold of it.
  func proven(_ seen: [SeenDot], by author: NodeID) throws(StoreError) -> [SeenDot] {
    var proven: [Dot: SeenDot] = [:]
    for seen in seen {
      if seen.dot.node == author {
        proven[seen.dot] = SeenDot(seen.dot)
      } else if seen.proof != nil {
        proven[seen.dot] = seen
      } else if let proof = try proof(of: seen.dot) {
        proven[seen.dot] = SeenDot(seen.dot, proof: proof)
      } else if let proof = try reader.nextProof(of: seen.dot, streams, in: id) {
        proven[seen.dot] = SeenDot(seen.dot, proof: proof)
      }
    }
    return proven.values.sorted { $0.dot < $1.dot }
  }
}
