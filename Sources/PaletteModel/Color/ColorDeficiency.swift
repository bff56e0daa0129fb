/// A way in which people see fewer colors.
public enum ColorDeficiency: String, CaseIterable, Sendable {
  /// No long-wave cones: red is dark and near green.
  case protan
  /// No middle-wave cones: red and green are near.
  case deutan
  /// No short-wave cones: blue and yellow are near grey.
  case tritan
  /// No colors at all.
  case achroma

  /// The matrix of a deficiency for linear sRGB: Machado, Oliveira and Fernandes (2009), at full
  /// severity; for `achroma` each row is the luminance.
  fileprivate var matrix: Matrix3 {
    switch self {
    case .protan:
      Matrix3(
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998]
      )
    case .deutan:
      Matrix3(
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881]
      )
    case .tritan:
      Matrix3(
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900]
      )
    case .achroma:
      Matrix3(
        Matrix3.srgbToXYZ.second,
        Matrix3.srgbToXYZ.second,
        Matrix3.srgbToXYZ.second
      )
    }
  }
}

extension Color {
  /// The color as a person with a deficiency sees it, as an sRGB color of whole bytes.
  public func seen(with deficiency: ColorDeficiency) -> Color {
    let linear = ColorSpace.srgb.convert(mappedRGB, to: .srgbLinear)
    let seen = ColorSpace.srgbLinear.convert(deficiency.matrix * linear, to: .srgb)
    var color = Color(red8: seen.x.unitByte, green8: seen.y.unitByte, blue8: seen.z.unitByte)
    color.alpha = alpha
    return color
  }
}
