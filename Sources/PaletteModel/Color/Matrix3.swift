/// A linear map of three coordinates, written row by row.
struct Matrix3: Sendable {
  let first: SIMD3<Double>
  let second: SIMD3<Double>
  let third: SIMD3<Double>

  init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    self.first = first
    self.second = second
    self.third = third
  }

  static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      dot(matrix.first, vector),
      dot(matrix.second, vector),
      dot(matrix.third, vector)
    )
  }

  private static func dot(_ left: SIMD3<Double>, _ right: SIMD3<Double>) -> Double {
    left.x * right.x + left.y * right.y + left.z * right.z
  }
}
