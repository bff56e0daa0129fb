import PaletteMerge

/// The `flags` column of a record's row.
struct RecordFlags: OptionSet {
  let rawValue: Int64

  /// The shown value of a known register is covered: bits 0 to 3.
  static func covered(_ register: Register) -> RecordFlags {
    RecordFlags(rawValue: 1 << Int64(register.rawValue))
  }

  /// A known register has several different live values: bits 4 to 7.
  static func conflict(_ register: Register) -> RecordFlags {
    RecordFlags(rawValue: 1 << (4 + Int64(register.rawValue)))
  }

  private static let anyConflict = RecordFlags(rawValue: 0xF0)

  /// There are rows in `sibling`.
  static let hasSiblings = RecordFlags(rawValue: 1 << 8)
  /// The record is not listed: it is covered, or incomplete.
  static let isHidden = RecordFlags(rawValue: 1 << 9)
  /// The record is the palette's own.
  static let isPalette = RecordFlags(rawValue: 1 << 10)
  /// No live dot is uncovered.
  static let isDeleted = RecordFlags(rawValue: 1 << 11)

  /// The flags that keep a record out of the list of colors.
  static let unlisted: RecordFlags = [.isHidden, .isPalette]

  /// The known registers in conflict.
  var conflicts: [Register] {
    isDisjoint(with: .anyConflict) ? [] : Register.known.filter { contains(.conflict($0)) }
  }

  /// The number of conflicts the record adds to its palette's count: nobody sees those of a hidden
  /// one.
  var countedConflicts: Int {
    contains(.isHidden) ? 0 : intersection(.anyConflict).rawValue.nonzeroBitCount
  }

  /// 1 for a color that is listed, else 0.
  var listedColors: Int { isDisjoint(with: .unlisted) ? 1 : 0 }
}
