extension Color {
  /// The color with `points` percent points more HSL lightness, at most 100.
  ///
  /// Hue, saturation and alpha are kept, also at black, white and grey. Only HSL can hold a
  /// saturation at black or white, so the result is an HSL color whatever the space was; that way
  /// `darker(by:)` leads back even after the end was touched. A color whose lightness does not change
  /// is returned as it was authored. A color outside the sRGB gamut is gamut mapped first.
  public func lighter(by points: Double = 10) -> Color {
    var color = gamutMapped.hsl
    let lightness = color.third ?? 0
    let changed = min(max(lightness + points, 0), 100)
    guard changed != lightness else { return self }
    if space != .hsl {
      // The conversion leaves noise behind the tenth digit, which nobody wants to read.
      color.first = color.first?.roundedForReading.normalizedDegrees
      color.second = color.second?.roundedForReading
    }
    color.third = changed.roundedForReading
    return color
  }

  /// The color with `points` percent points less HSL lightness, at least 0.
  ///
  /// It mirrors `lighter(by:)`.
  public func darker(by points: Double = 10) -> Color {
    lighter(by: -points)
  }

  /// The color in HSL, with the hue and saturation that its author wrote even where they do not show.
  private var hsl: Color {
    var color = converted(to: .hsl)
    switch space {
    case .hsb:
      color.first = first
      // Both saturations run towards a fixed ratio as the color darkens; at black it is the limit.
      if third ?? 0 == 0, let saturation = second, saturation <= 100 {
        color.second = 100 * saturation / (200 - saturation)
      }
    case .hwb:
      color.first = first
    default:
      break
    }
    return color
  }
}

extension Double {
  fileprivate var roundedForReading: Double {
    (self * 1e9).rounded() / 1e9
  }
}
