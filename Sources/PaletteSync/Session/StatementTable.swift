import PaletteModel

/// What a peer said it holds of palettes, where this side does not hold all of it yet.
///
/// A peer may say anything, so what is kept of it is counted.
struct StatementTable: Sendable {
  private var statements: [PaletteID: Statement] = [:]
  /// How many changes of each are to come, where any are.
  private var missing: [PaletteID: Int] = [:]
  /// How many changes are to come, of all palettes together.
  private(set) var changesToCome = 0
  /// Frontiers of which some parts have come.
  private var parts: [PaletteID: Frontier] = [:]
  /// About how many bytes are kept.
  private(set) var byteCount = 0

  var isEmpty: Bool { statements.isEmpty }

  subscript(palette: PaletteID) -> Statement? {
    get { statements[palette] }
    set {
      byteCount += Self.bytes(newValue?.frontier) - Self.bytes(statements[palette]?.frontier)
      statements[palette] = newValue
      if newValue == nil { setChangesToCome(0, of: palette) }
    }
  }

  /// Notes how many of the changes that a peer said to hold are still to come.
  mutating func setChangesToCome(_ count: Int, of palette: PaletteID) {
    changesToCome += count - (missing[palette] ?? 0)
    missing[palette] = count > 0 ? count : nil
  }

  /// Takes a part of a frontier; the whole one when that was the last.
  mutating func assemble(_ part: Frontier, of palette: PaletteID, isLast: Bool) -> Frontier? {
    guard let begun = parts.removeValue(forKey: palette) else {
      if isLast { return part }
      parts[palette] = part
      byteCount += Self.bytes(part)
      return nil
    }
    byteCount -= Self.bytes(begun)
    let whole = begun.merging(part) { $1 }
    if isLast { return whole }
    parts[palette] = whole
    byteCount += Self.bytes(whole)
    return nil
  }

  private static func bytes(_ frontier: Frontier?) -> Int {
    frontier.map { 64 + 24 * $0.count } ?? 0
  }
}
