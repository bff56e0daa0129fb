extension RecordState {
  /// The live values of a record after two states of it meet.
  ///
  /// A value that one side alone has stays if the other does not hold its dot and no side has seen
  /// it replaced before it came.
  package init(
    joining ours: RecordState,
    _ theirs: RecordState,
    record: RecordID,
    frontiers: (ours: Frontier, theirs: Frontier),
    marks: Set<PendingReference>
  ) {
    self.init()
    func keep(_ value: LiveValue, against other: RecordState, _ frontier: Frontier) {
      let twin = other.values.first { $0.register == value.register && $0.dot == value.dot }
      let replaced = PendingReference(record: record, dot: value.dot, register: value.register)
      guard twin != nil || !frontier.holds(value.dot) && !marks.contains(replaced) else { return }
      let covered = PendingReference(record: record, dot: value.dot, register: nil)
      var kept = value
      kept.isCovered = value.isCovered || twin?.isCovered ?? false || marks.contains(covered)
      insert(kept)
    }
    for value in ours.values { keep(value, against: theirs, frontiers.theirs) }
    for value in theirs.values
    where !ours.values.contains(where: { $0.register == value.register && $0.dot == value.dot }) {
      keep(value, against: ours, frontiers.ours)
    }
  }
}
