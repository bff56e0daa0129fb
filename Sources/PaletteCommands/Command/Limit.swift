/// How much an author may make; what others made beyond it is kept and shown.
enum Limit {
  /// The most colors of a palette.
  static let colors = 250_000
  /// The most palettes of a library.
  static let palettes = 100_000

  /// Refuses more colors than a palette may have.
  static func checkColors(_ count: Int) throws(APIError) {
    guard count > colors else { return }
    throw APIError(
      code: "too-large",
      message: "a palette has \(colors) colors at most, and this would make \(count)"
    )
  }

  /// Refuses more palettes than a library may have.
  static func checkPalettes(_ count: Int) throws(APIError) {
    guard count > palettes else { return }
    throw APIError(
      code: "too-large",
      message: "a library has \(palettes) palettes at most, and this would make \(count)"
    )
  }
}
