/// The colors that a file of a fixed form is to have, in its order, and where each of them is now.
public struct ColorArrangement: Sendable {
  /// The colors.
  let goals: [UnitGoal]
  /// For each color the entry that it is; nil for a new one.
  let entries: [Int?]
  /// The new title; nil to leave the title as it is.
  let title: String?
}
