extension Color {
  /// The CSS color name nearest to the color by CIEDE2000, with that name's color and the distance.
  ///
  /// Of two names for one color it is the first in the alphabet. Alpha does not count.
  public var nearestCSSName: (name: String, color: Color, deltaE: Double) {
    let lab = space.convert(coordinates, to: .lab)
    var best = (index: 0, deltaE: Double.infinity)
    for (index, candidate) in CSSColorName.labs.enumerated() {
      let deltaE = Self.deltaE2000(lab, candidate)
      if deltaE < best.deltaE { best = (index, deltaE) }
    }
    let entry = CSSColorName.all[best.index]
    return (entry.name, CSSColorName.color(entry.rgb), best.deltaE)
  }
}

extension Color {
  /// The names of CSS, in alphabetical order.
  public static var cssNames: [String] { CSSColorName.all.map(\.name) }
}

extension CSSColorName {
  /// The Lab values of `all`, in the same order.
  fileprivate static let labs = all.map { entry in
    ColorSpace.srgb.convert(color(entry.rgb).coordinates, to: .lab)
  }
}
