public import PaletteModel

/// What an action did, counted by whoever reads its changes.
///
/// Any node counts the same from the same changes. What the author says beside them only chooses the word
/// for what was counted, and only where it fits.
public struct ActionTally: Sendable {
  /// What a change does to a color, or to the palette itself.
  public struct Effects: OptionSet, Hashable, Sendable {
    /// A bit for each effect.
    public let rawValue: UInt8

    /// Creates effects from their bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// It was added, by a change that saw nothing of it.
    public static let added = Effects(rawValue: 1)
    /// It got another color.
    public static let recolored = Effects(rawValue: 2)
    /// It got another name.
    public static let renamed = Effects(rawValue: 4)
    /// It got another note.
    public static let noted = Effects(rawValue: 8)
    /// It got another place.
    public static let moved = Effects(rawValue: 16)
    /// It was removed, or the palette dropped.
    public static let removed = Effects(rawValue: 32)
    /// It was brought back.
    public static let restored = Effects(rawValue: 64)
    /// A register was written for which there is no word here.
    public static let other = Effects(rawValue: 128)

    /// What undoing these effects may do.
    fileprivate var inverse: Effects {
      var inverse = intersection([.recolored, .renamed, .noted, .moved, .other])
      if !isDisjoint(with: [.added, .restored]) { inverse.insert(.removed) }
      if contains(.removed) { inverse.insert(.restored) }
      return inverse
    }

    /// What making these effects again may do.
    fileprivate var again: Effects {
      var again = intersection([.recolored, .renamed, .noted, .moved, .other, .removed, .restored])
      if contains(.added) { again.insert(.restored) }
      return again
    }
  }

  /// How many colors are listed with an action.
  public static let listedColors = 10

  /// The action.
  public let id: ActionID
  /// What was done to each color.
  public private(set) var colors: [RecordID: Effects] = [:]
  /// What was done to the palette's own record.
  public private(set) var palette: Effects = []
  /// The change, where the action has one alone.
  public private(set) var only: Change?
  /// What its author says it was.
  public var claim: ActionClaim?
  /// The colors that were changed first, the first of them last.
  private var earliest: [RecordID] = []
  private var changes = 0

  /// Begins to count an action.
  public init(_ id: ActionID) {
    self.id = id
  }

  /// Counts a change; they come from the last to the first.
  public mutating func count(_ change: Change, in id: PaletteID) {
    changes += 1
    only = changes == 1 ? change : nil
    let effects = change.effects
    guard change.record != id.record else { return palette.formUnion(effects) }
    colors[change.record, default: []].formUnion(effects)
    if earliest.last != change.record {
      earliest.removeAll { $0 == change.record }
      earliest.append(change.record)
    }
    if earliest.count > Self.listedColors { earliest.removeFirst() }
  }

  /// Whether nothing was counted.
  public var isEmpty: Bool { changes == 0 }

  /// The first colors that were changed, in the order in which they were.
  public var firstColors: [RecordID] { earliest.reversed() }

  /// How many colors were changed; the palette alone counts as one.
  public var count: Int { colors.isEmpty && !palette.isEmpty ? 1 : colors.count }

  /// How many colors an effect had; one that was added counts as that alone.
  public func count(of effect: Effects) -> Int {
    colors.values.count {
      $0.contains(.added) ? effect == .added : !$0.isDisjoint(with: effect)
    }
  }

  /// What happened to the colors, all of it together.
  public var effects: Effects {
    colors.values.reduce(into: []) { $0.formUnion($1.contains(.added) ? .added : $1) }
  }

  /// What the changes alone say that the action was.
  ///
  /// - Parameter replaced: The values that the only change replaced, where they are held.
  /// - Returns: The kind.
  public func countedKind(replaced: [RegisterValue]) -> ActionKind {
    guard colors.isEmpty else {
      if !palette.isEmpty { return .mixed }
      if settlesConflict(among: replaced) { return .resolve }
      return ActionKind(effects) ?? .mixed
    }
    if palette.contains(.removed) { return .drop }
    if settlesConflict(among: replaced) { return .resolve }
    return palette == .restored ? .restore : .title
  }

  /// Whether one of several values that were there was written, and replaced them.
  private func settlesConflict(among replaced: [RegisterValue]) -> Bool {
    guard let only, only.kind == .set, only.writes.count == 1, only.writes[0].register != .place
    else { return false }
    return Set(replaced).count > 1 && replaced.contains(only.writes[0].value)
  }

  /// What the author says the action was, where that fits what was counted; nil where it does not.
  ///
  /// - Parameter subject: The action that the claim speaks of, counted too; nil where it is not held.
  /// - Returns: The kind.
  public func claimedKind(about subject: ActionTally?) -> ActionKind? {
    switch claim {
    case nil: nil
    case .sort: palette.isEmpty && effects == .moved ? .sort : nil
    case .import: palette.isDisjoint(with: [.removed, .restored]) && !isEmpty ? .import : nil
    case .revertToTime, .revertToAction: palette.isEmpty && !isEmpty ? .revert : nil
    case .undo: subject.map { fits($0, \.inverse) } == true ? .undo : nil
    case .redo: subject.map { fits($0, \.again) } == true ? .redo : nil
    }
  }

  /// Whether each effect is one that the other action allows on the same record.
  private func fits(_ other: ActionTally, _ allowed: (Effects) -> Effects) -> Bool {
    guard allowed(other.palette).isSuperset(of: palette), !isEmpty else { return false }
    return colors.allSatisfy { record, effects in
      other.colors[record].map { allowed($0).isSuperset(of: effects) } ?? false
    }
  }
}

/// What an action was, in one word.
public enum ActionKind: String, CaseIterable, Sendable {
  /// Colors were added.
  case add
  /// Colors got other values.
  case recolor
  /// Colors got other names.
  case rename
  /// Colors got other notes.
  case note
  /// Colors got other places.
  case move
  /// The palette was sorted.
  case sort
  /// Colors were removed.
  case delete
  /// Colors, or the palette, were brought back.
  case restore
  /// A conflict was settled.
  case resolve
  /// Files became the palette.
  case `import`
  /// An action was undone.
  case undo
  /// An undone action was made again.
  case redo
  /// The palette became what it was before.
  case revert
  /// The palette got a name.
  case title
  /// The palette was dropped.
  case drop
  /// Several of these.
  case mixed

  /// The kind of an action that had one effect; nil where it had several, or one without a word.
  fileprivate init?(_ effects: ActionTally.Effects) {
    switch effects {
    case .added: self = .add
    case .recolored: self = .recolor
    case .renamed: self = .rename
    case .noted: self = .note
    case .moved: self = .move
    case .removed: self = .delete
    case .restored: self = .restore
    default: return nil
    }
  }
}

extension Change {
  /// What the change does to its record.
  ///
  /// An addition that replaces values adds nothing: it counts as what it writes.
  fileprivate var effects: ActionTally.Effects {
    switch kind {
    case .add where writes.allSatisfy { $0.saw.isEmpty }: .added
    case .restore where writes.allSatisfy { $0.register == .place || $0.register == .name }:
      .restored
    case .delete, .drop: .removed
    case .add, .set, .restore:
      writes.reduce(into: []) { effects, write in
        switch write.register {
        case .name: effects.insert(.renamed)
        case .color: effects.insert(.recolored)
        case .place: effects.insert(.moved)
        case .note: effects.insert(.noted)
        default: effects.insert(.other)
        }
      }
    }
  }
}
