internal import PaletteModel

/// The colors that an image is mostly made of: k-means in OKLab, the same for the same image.
struct ImageColors {
  /// A color, and how much of the image it stands for.
  struct Found {
    let color: Color
    /// From 0 to 1.
    let share: Double
  }

  /// The most rounds in which centers are moved; they seldom move that long.
  private static let roundLimit = 40

  /// Colors that are near in sRGB are counted together, so that the size of the image does not matter.
  private var points: [(lab: SIMD3<Double>, weight: Double)] = []

  /// Counts the pixels of an image; a pixel counts as much as it is opaque.
  init(_ image: some PixelImage) {
    var sums = [SIMD4<Double>](repeating: .zero, count: 1 << 15)
    image.forEachPixel { pixel in
      guard pixel.alpha > 0 else { return }
      let weight = Double(pixel.alpha) / 255
      let bin = Int(pixel.red >> 3) << 10 | Int(pixel.green >> 3) << 5 | Int(pixel.blue >> 3)
      sums[bin] +=
        SIMD4(Double(pixel.red), Double(pixel.green), Double(pixel.blue), 255) * (weight / 255)
    }
    for sum in sums where sum.w > 0 {
      let color = Color(.srgb, sum.x / sum.w, sum.y / sum.w, sum.z / sum.w)
      let lab = color.components(in: .oklab).map { $0 ?? 0 }
      points.append((SIMD3(lab[0], lab[1], lab[2]), sum.w))
    }
  }

  /// So many colors at most, the most frequent first; none of an image that nobody sees.
  func most(_ count: Int) -> [Found] {
    var centers = start(count)
    var weights: [Double] = []
    for _ in 0..<Self.roundLimit {
      var sums = [SIMD3<Double>](repeating: .zero, count: centers.count)
      weights = Array(repeating: 0, count: centers.count)
      for point in points {
        let nearest = Self.nearest(to: point.lab, among: centers).index
        sums[nearest] += point.lab * point.weight
        weights[nearest] += point.weight
      }
      let moved = centers.indices.map { weights[$0] > 0 ? sums[$0] / weights[$0] : centers[$0] }
      if moved == centers { break }
      centers = moved
    }
    let all = weights.reduce(0, +)
    return centers.indices.filter { weights[$0] > 0 }
      .sorted { weights[$0] == weights[$1] ? $0 < $1 : weights[$0] > weights[$1] }
      .map { index in
        let lab = centers[index]
        let color = Color(.oklab, lab.x, lab.y, lab.z).roundedToBytes
        return Found(color: color, share: weights[index] / all)
      }
  }

  /// The centers to begin with: the most frequent point, then each time the one that is farthest from
  /// those before, by how often it is there.
  private func start(_ count: Int) -> [SIMD3<Double>] {
    guard let first = points.max(by: { $0.weight < $1.weight }) else { return [] }
    var centers = [first.lab]
    var distances = points.map { Self.distance($0.lab, first.lab) }
    while centers.count < count {
      func score(_ index: Int) -> Double { distances[index] * points[index].weight }
      guard let next = points.indices.max(by: { score($0) < score($1) }), score(next) > 0 else {
        break
      }
      centers.append(points[next].lab)
      for index in points.indices {
        distances[index] = min(distances[index], Self.distance(points[index].lab, points[next].lab))
      }
    }
    return centers
  }

  private static func nearest(
    to point: SIMD3<Double>,
    among centers: [SIMD3<Double>]
  ) -> (index: Int, distance: Double) {
    var best = (index: 0, distance: Double.infinity)
    for (index, center) in centers.enumerated() {
      let distance = distance(point, center)
      if distance < best.distance { best = (index, distance) }
    }
    return best
  }

  private static func distance(_ one: SIMD3<Double>, _ two: SIMD3<Double>) -> Double {
    let way = one - two
    return (way * way).sum()
  }
}
