internal import PaletteModel

extension Color {
  /// Cyan, magenta, yellow and black from 0 to 1, by the naive conversion that reading does backwards.
  var inks: [Double] {
    let parts = shownParts
    let light = parts.max() ?? 0
    guard light > 0 else { return [0, 0, 0, 1] }
    return parts.prefix(3).map { min(1, max(0, 1 - $0 / light)) } + [min(1, max(0, 1 - light))]
  }
}
