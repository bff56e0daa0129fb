extension Change {
  /// The most bytes that one dot takes in a change: its head, a node id and a sequence number.
  private static let dotBytes = 1 + CBORHead.longest + 5

  /// A change that does a part of what this one is to do, and fits; nil where nothing can be taken
  /// from it.
  ///
  /// It writes the register of which most was seen, seeing as much as fits. So when it is merged, the
  /// edit has less to see. A delete covers, and a drop hides, as many as fit: what they cover joins.
  package var part: Change? {
    var part = self
    part.covers = []
    part.frontier = []
    if kind.writesRegisters {
      // One dot fewer is seen where this change's own takes the place of two.
      guard var write = writes.max(by: { $0.saw.count < $1.saw.count }), write.saw.count > 1 else {
        return nil
      }
      let saw = write.saw
      write.saw = []
      part.kind = .set
      part.writes = [write]
      guard part.room > 1 else { return nil }
      part.writes[0].saw = Array(saw.prefix(part.room))
      return part
    }
    let room = part.room
    part.covers = Array(covers.prefix(room))
    part.frontier = Array(frontier.prefix(room - part.covers.count))
    return part
  }

  /// How many dots the change has room for beside what it holds.
  private var room: Int {
    (ChangeLimits.changeBytes - encoded.count - 2 * CBORHead.longest) / Self.dotBytes
  }
}
