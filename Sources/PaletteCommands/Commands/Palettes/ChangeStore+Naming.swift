internal import PaletteModel
internal import PaletteStore

extension ChangeStore {
  /// Refuses the name of another palette.
  ///
  /// - Returns: How many palettes there are.
  @discardableResult
  func checkIsFree(
    _ name: String,
    except own: PaletteID? = nil
  ) throws -> Int {
    let names = try paletteNames()
    let other = try names.filter { $0.id != own && $0.name.hasSameBytes(as: name) }
      .compactMap { try summary(of: $0.id) }.first { !$0.isDropped }
    guard let other else {
      // Only near the limit does it matter how many of them are dropped.
      return names.count < Limit.palettes ? names.count : try visiblePalettes().count
    }
    throw APIError(
      code: "exists",
      message: "there is a palette '\(name)' already",
      hint: "its id is \(other.id)"
    )
  }
}

extension PaletteWriter {
  /// Makes the palette's own record, which is how a palette begins.
  func begin(named name: String) throws(StoreError) {
    try author(.add(id.record, [.name: RegisterValue(text: name)]))
  }
}
