/// The difference between two lists of named colors, as a view applies it in one batch.
///
/// Deletions count by old index, insertions by new index; a move names both, and a moved color is
/// neither among the deletions nor among the insertions. Updates count by new index, and a color may
/// be moved and updated at once. Each list is in ascending order of its index (moves: of the new
/// one).
///
/// ```swift
/// let diff = try PaletteDiff(from: old, to: new)
/// try diff.applying(to: old)  // new
/// ```
public struct PaletteDiff: Hashable, Sendable {
  /// The colors that are gone.
  public var deletions: [Deletion]
  /// The colors that are new.
  public var insertions: [Insertion]
  /// The fewest moves that bring the kept colors into their new order.
  public var moves: [Move]
  /// The kept colors whose content changed.
  public var updates: [Update]

  /// Creates a diff from its steps.
  public init(
    deletions: [Deletion] = [],
    insertions: [Insertion] = [],
    moves: [Move] = [],
    updates: [Update] = []
  ) {
    self.deletions = deletions
    self.insertions = insertions
    self.moves = moves
    self.updates = updates
  }

  /// True if nothing changed.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// Compares two lists of named colors.
  ///
  /// - Throws: ``PaletteDiffError`` when an id stands twice in a list.
  public init(from old: [NamedColor], to new: [NamedColor]) throws(PaletteDiffError) {
    try self.init(from: old, to: new, oldIsDistinct: false)
  }

  /// Compares two lists of named colors; with `oldIsDistinct` the old one is known to be sound.
  package init(
    from old: [NamedColor],
    to new: [NamedColor],
    oldIsDistinct: Bool
  ) throws(PaletteDiffError) {
    let order = try OrderDiff(
      from: old.map(\.id),
      to: new.map(\.id),
      oldIsDistinct: oldIsDistinct
    )
    var updates: [Update] = []
    order.forEachKept { oldIndex, newIndex in
      if !old[oldIndex].hasSameContent(as: new[newIndex]) {
        updates.append(Update(index: newIndex, color: new[newIndex], was: old[oldIndex]))
      }
    }
    self.init(
      deletions: order.deletions.map { Deletion(index: $0, id: old[$0].id) },
      insertions: order.insertions.map { Insertion(index: $0, color: new[$0]) },
      moves: order.moves.map { Move(from: $0.from, to: $0.to, id: old[$0.from].id) },
      updates: updates
    )
  }

  /// The diff that leads back to `old`, where this one began.
  ///
  /// - Throws: ``PaletteDiffError`` when this diff does not fit `old`.
  public func inverted(from old: [NamedColor]) throws(PaletteDiffError) -> PaletteDiff {
    try PaletteDiff(from: applying(to: old), to: old)
  }

  /// Compares two lists that a palette held, and that therefore hold no id twice.
  init(betweenSound old: [NamedColor], and new: [NamedColor]) {
    do {
      try self.init(from: old, to: new, oldIsDistinct: true)
    } catch {
      preconditionFailure("a palette held \(error)")
    }
  }

  /// The list that results when all steps are applied to `old` at once.
  ///
  /// - Throws: ``PaletteDiffError`` when a step does not fit: an index is out of range or claimed
  ///   twice, another record stands where the diff expects one, or an id would stand twice. `was` is
  ///   not compared.
  public func applying(to old: [NamedColor]) throws(PaletteDiffError) -> [NamedColor] {
    let staying = try remaining(of: old)
    try checkInsertions(against: staying)
    var result = try merging(staying, with: arrivals(from: old))
    for update in updates {
      guard result.indices.contains(update.index) else {
        throw PaletteDiffError(.badIndex, id: update.color.id, index: update.index)
      }
      guard result[update.index].id == update.color.id else {
        throw PaletteDiffError(.wrongID, id: update.color.id, index: update.index)
      }
      result[update.index] = update.color
    }
    return result
  }

  /// The colors that neither go nor move, in order.
  private func remaining(of old: [NamedColor]) throws(PaletteDiffError) -> [NamedColor] {
    if deletions.isEmpty && moves.isEmpty { return old }
    var leaves = [Bool](repeating: false, count: old.count)
    for (index, id) in deletions.map({ ($0.index, $0.id) }) + moves.map({ ($0.from, $0.id) }) {
      guard leaves.indices.contains(index), !leaves[index] else {
        throw PaletteDiffError(.badIndex, id: id, index: index)
      }
      guard old[index].id == id else { throw PaletteDiffError(.wrongID, id: id, index: index) }
      leaves[index] = true
    }
    return old.indices.filter { !leaves[$0] }.map { old[$0] }
  }

  /// The inserted and moved colors by ascending new index, also when the steps are in disorder.
  private func arrivals(from old: [NamedColor]) -> [(index: Int, color: NamedColor)] {
    let inserted = insertions.map { (index: $0.index, color: $0.color) }
    let moved = moves.map { (index: $0.to, color: old[$0.from]) }
    return (inserted + moved).sorted { $0.index < $1.index }
  }

  /// The list in which arrivals stand at their indexes and the rest keeps its order between them.
  private func merging(
    _ staying: [NamedColor],
    with arrivals: [(index: Int, color: NamedColor)]
  ) throws(PaletteDiffError) -> [NamedColor] {
    guard !arrivals.isEmpty else { return staying }
    var result: [NamedColor] = []
    result.reserveCapacity(staying.count + arrivals.count)
    var next = 0
    for (index, color) in arrivals {
      let gap = index - result.count
      guard gap >= 0, gap <= staying.count - next else {
        throw PaletteDiffError(.badIndex, id: color.id, index: index)
      }
      result += staying[next..<(next + gap)]
      next += gap
      result.append(color)
    }
    return result + staying[next...]
  }

  /// Refuses an inserted id that is inserted twice, stays, or moves.
  private func checkInsertions(against staying: [NamedColor]) throws(PaletteDiffError) {
    guard !insertions.isEmpty else { return }
    var table = IdentityTable(of: insertions.map(\.color.id), count: insertions.count)
    for (position, insertion) in insertions.enumerated() where !table.insert(position) {
      throw PaletteDiffError(.duplicateID, id: insertion.color.id, index: insertion.index)
    }
    for id in moves.lazy.map(\.id) where table.position(of: id) != nil {
      throw PaletteDiffError(.duplicateID, id: id)
    }
    for color in staying where table.position(of: color.id) != nil {
      throw PaletteDiffError(.duplicateID, id: color.id)
    }
  }

  /// A color that is gone.
  public struct Deletion: Hashable, Sendable {
    /// The index in the old list.
    public let index: Int
    /// The identity of the color.
    public let id: RecordID

    /// Creates a deletion.
    public init(index: Int, id: RecordID) {
      self.index = index
      self.id = id
    }
  }

  /// A color that is new; equal when the contents are, too.
  public struct Insertion: Hashable, Sendable {
    /// The index in the new list.
    public let index: Int
    /// The color.
    public let color: NamedColor

    /// Creates an insertion.
    public init(index: Int, color: NamedColor) {
      self.index = index
      self.color = color
    }

    /// Returns whether both insert the same record with the same content at the same index.
    public static func == (left: Self, right: Self) -> Bool {
      left.index == right.index && left.color == right.color
        && left.color.hasSameContent(as: right.color)
    }
  }

  /// A color that stands elsewhere in the order.
  public struct Move: Hashable, Sendable {
    /// The index in the old list.
    public let from: Int
    /// The index in the new list.
    public let to: Int
    /// The identity of the color.
    public let id: RecordID

    /// Creates a move.
    public init(from: Int, to: Int, id: RecordID) {
      self.from = from
      self.to = to
      self.id = id
    }
  }

  /// A color whose content changed; equal when the contents are, too.
  public struct Update: Hashable, Sendable {
    /// The index in the new list.
    public let index: Int
    /// The color as it is now.
    public let color: NamedColor
    /// The color as it was.
    public let was: NamedColor

    /// Creates an update.
    public init(index: Int, color: NamedColor, was: NamedColor) {
      self.index = index
      self.color = color
      self.was = was
    }

    /// Returns whether both change the same record from and to the same content at the same index.
    public static func == (left: Self, right: Self) -> Bool {
      left.index == right.index && left.color == right.color
        && left.color.hasSameContent(as: right.color) && left.was == right.was
        && left.was.hasSameContent(as: right.was)
    }
  }
}

/// The reason why a list of named colors, or a diff, cannot be used.
public struct PaletteDiffError: Error, Hashable, Sendable {
  /// The kinds of refusal.
  public enum Code: String, Hashable, Sendable {
    /// One id stands twice in a list.
    case duplicateID = "duplicate-id"
    /// No named color of the list has the id.
    case unknownID = "unknown-id"
    /// An index lies outside its list, or two steps claim the same one.
    case badIndex = "bad-index"
    /// Another record stands where the diff expects the id.
    case wrongID = "wrong-id"
  }

  /// The kind of failure.
  public let code: Code
  /// The record concerned, if one is.
  public let id: RecordID?
  /// The index concerned, if one is.
  public let index: Int?

  /// Creates an error from its evidence.
  public init(_ code: Code, id: RecordID? = nil, index: Int? = nil) {
    self.code = code
    self.id = id
    self.index = index
  }
}

extension PaletteDiffError: CustomStringConvertible {
  /// The error as a sentence without a full stop.
  public var description: String {
    let subject = id.map { "color \($0)" } ?? "a color"
    let position = index.map { " at index \($0)" } ?? ""
    return switch code {
    case .duplicateID: "\(subject) stands twice in the list\(position)"
    case .unknownID: "\(subject) is not in the list"
    case .badIndex: "the diff has no room for \(subject)\(position)"
    case .wrongID: "another color than \(subject) stands\(position)"
    }
  }
}
