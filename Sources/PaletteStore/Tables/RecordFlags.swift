import PaletteMerge

/// The `flags` column of a record's row.
struct RecordFlags: OptionSet {
  let rawValue: Int64

  /// The shown value of the register at an index of `Register.known` is covered: bits 0 to 3 for the first
  /// four, and from 16 on for later ones.
  static func covered(_ index: Int) -> RecordFlags {
    RecordFlags(rawValue: 1 << Int64(index < 4 ? index : 12 + index))
  }

  /// The register at an index of `Register.known` has several different live values: bits 4 to 7 for the
  /// first four, and from 40 on for later ones.
  static func conflict(_ index: Int) -> RecordFlags {
    RecordFlags(rawValue: 1 << Int64(index < 4 ? 4 + index : 36 + index))
  }

  private static let anyConflict = RecordFlags(rawValue: 0x7FFF_FF00_0000_00F0)

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
    guard !isDisjoint(with: .anyConflict) else { return [] }
    return Register.known.indices.filter { contains(.conflict($0)) }.map { Register.known[$0] }
  }

  /// The number of conflicts the record adds to its palette's count: nobody sees those of a hidden
  /// one.
  var countedConflicts: Int {
    contains(.isHidden) ? 0 : intersection(.anyConflict).rawValue.nonzeroBitCount
  }

  /// 1 for a color that is listed, else 0.
  var listedColors: Int { isDisjoint(with: .unlisted) ? 1 : 0 }
}
