internal import PaletteModel

extension ColorSpace {
  /// The names that a shell completes.
  static let suggested = [
    "srgb", "srgb-linear", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020", "xyz", "xyz-d50",
    "xyz-d65", "hsb", "hsl", "hwb", "lab", "lch", "oklab", "oklch",
  ]

  /// The space that an argument names.
  init(argument name: String) throws(APIError) {
    if let space = ColorSpace(cssName: name) {
      self = space
      return
    }
    let names = ColorSpace.allCases.map(\.cssName)
    throw APIError(
      code: "bad-value",
      message: "there is no color space '\(name)'",
      hint: Spelling.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
        ?? "the spaces are \(names.joined(separator: ", "))"
    )
  }
}
