internal import PaletteMerge
package import PaletteModel
package import PaletteStore

extension ChangeStore {
  /// Returns whether no other palette has a name.
  package func isFree(_ name: String, except own: PaletteID) throws -> Bool {
    do {
      try checkIsFree(name, except: own)
      return true
    } catch let error as APIError where error.code == "exists" {
      return false
    }
  }

  /// Refuses the name of another palette.
  ///
  /// - Returns: How many palettes there are.
  @discardableResult
  func checkIsFree(
    _ name: String,
    except own: PaletteID? = nil
  ) throws -> Int {
    let others = try palettes(named: name, limit: 2).palettes
    guard let other = others.first(where: { $0.id != own }) else { return try totals().palettes }
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
