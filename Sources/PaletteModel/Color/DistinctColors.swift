/// Chooses colors that are as different from one another as can be found in a bounded time.
///
/// The least CIEDE2000 difference of two of them is to be large. Each next color is the one farthest
/// from those chosen before, which gives at least half of what is possible where the triangle
/// inequality holds; then single colors are exchanged as long as that helps. The same colors give the
/// same choice.
public struct DistinctColors {
  /// The number of differences that may be measured for choosing, and again for exchanging: a node
  /// that is asked answers others only afterwards.
  private static let limit = 1_000_000

  private let labs: [SIMD3<Double>]

  /// Prepares to choose among colors; the same color twice counts as two.
  public init(among colors: [Color]) {
    labs = colors.map { $0.space.convert($0.coordinates, to: .lab) }
  }

  /// Colors all over sRGB, of which to choose where nobody names others.
  public static var everywhere: [Color] {
    let levels = stride(from: 0, through: 256, by: 32).map { UInt8(min($0, 255)) }
    return levels.flatMap { red in
      levels.flatMap { green in
        levels.map { Color(red8: red, green8: green, blue8: $0) }
      }
    }
  }

  /// Returns whether so many can be chosen without taking too long.
  public func canChoose(_ count: Int) -> Bool { count <= Self.limit / max(1, labs.count) }

  /// The indexes of so many colors, all of them if there are not more, in the order of the choice.
  public func indexes(choosing count: Int) -> [Int] {
    guard count > 0, !labs.isEmpty else { return [] }
    var chosen = [farthest(from: [0]) ?? 0]
    var distances = labs.map { Color.deltaE2000($0, labs[chosen[0]]) }
    while chosen.count < min(count, labs.count) {
      // What is chosen already has no distance; where all else is equal to it, too, take the first left.
      let best = distances.indices.max { distances[$0] < distances[$1] } ?? 0
      let next = distances[best] > 0 ? best : labs.indices.first { !chosen.contains($0) } ?? best
      chosen.append(next)
      for index in labs.indices where distances[index] > 0 {
        distances[index] = min(distances[index], Color.deltaE2000(labs[index], labs[next]))
      }
    }
    exchange(&chosen)
    return chosen
  }

  /// Replaces single colors by others that are farther from the rest, until none is found.
  private func exchange(_ chosen: inout [Int]) {
    guard chosen.count > 1, chosen.count < labs.count else { return }
    let round = chosen.count * chosen.count * labs.count
    var rounds = Self.limit / round
    var isBetter = true
    while isBetter, rounds > 0 {
      isBetter = false
      rounds -= 1
      for position in chosen.indices {
        var others = chosen
        let current = others.remove(at: position)
        let distance = distance(current, from: others)
        guard let other = farthest(from: others), self.distance(other, from: others) > distance
        else { continue }
        chosen[position] = other
        isBetter = true
      }
    }
  }

  private func farthest(from others: [Int]) -> Int? {
    var best: (index: Int, distance: Double)?
    for index in labs.indices {
      let distance = distance(index, from: others)
      if distance > best?.distance ?? -1 { best = (index, distance) }
    }
    return best?.index
  }

  private func distance(_ index: Int, from others: [Int]) -> Double {
    others.reduce(.infinity) { min($0, Color.deltaE2000(labs[index], labs[$1])) }
  }
}
