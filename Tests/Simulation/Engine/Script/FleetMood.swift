import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport

/// The mood of a fleet's life: a few traits, so that each script dwells on something.
struct FleetMood {
  enum Kind: CaseIterable {
    case cut, partition, distort, slow, crash, powerLoss, restart, disk, slowDisk, clock, backup,
      recover, clone, versions, sharing, sync, look, history, image, rollBack
  }

  enum Shape: CaseIterable { case star, chain, ring, mesh, tree }

  let machines: Int
  let shape: Shape
  let palettes: Int
  let steps: Int
  /// The number of colors a palette begins with.
  let firstColors: Int
  let pauseMilliseconds: Int64
  let partitionMilliseconds: Int64
  /// The percentage of edits that are additions.
  let additions: Int
  /// The share of edits about one of the newest colors.
  let heat: Double
  let faults: Double
  let drops: Double
  let compaction: Double
  let limits: SyncLimits
  let backlogBytes: ClosedRange<Int>
  let clockMilliseconds: Int64
  /// The frequency of each kind of fault.
  let weights: KeyValuePairs<Kind, Int>
  /// True if some are editors or viewers, or joined for one palette alone.
  let hasRoles: Bool
  /// True if some join when much has happened already.
  let hasLateComers: Bool

  init(using random: inout SeededRandom) {
    func oneOf<Value>(_ values: [Value], _ random: inout SeededRandom) -> Value {
      values[Int(random.next() % UInt64(values.count))]
    }
    machines = random.chance(0.03) ? 20 : oneOf([3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8], &random)
    shape = oneOf(Shape.allCases, &random)
    palettes =
      random.chance(0.1) && machines < 6
      ? oneOf([20, 40, 60, 300], &random) : oneOf([1, 1, 1, 2, 2, 3], &random)
    steps = machines > 5 ? oneOf([90, 120, 150], &random) : oneOf([100, 150, 200, 250], &random)
    firstColors = random.chance(0.04) && palettes < 4 ? oneOf([300, 1_500], &random) : 1
    pauseMilliseconds = oneOf([60, 300, 1_000, 3_000], &random)
    partitionMilliseconds = oneOf([3_000, 20_000, 120_000], &random)
    additions = oneOf([4, 10, 20], &random)
    heat = oneOf([0.2, 0.6, 0.9], &random)
    faults = oneOf([0.08, 0.15, 0.3], &random)
    drops = oneOf([0, 0.5, 1], &random)
    compaction = oneOf([0, 0.5, 1], &random)
    let isTight = random.chance(0.5) || palettes > 3
    limits =
      isTight
      ? SyncLimits(
        payloadBytes: oneOf([300, 900], &random),
        creditBytes: oneOf([700, 2_500], &random)
      )
      : SyncLimits()
    // A frame of a large palette alone is longer than the short one.
    backlogBytes =
      random.chance(0.4) && firstColors == 1 ? 2_000...30_000 : 1 << 20...4 << 20
    clockMilliseconds = oneOf([1, 1, 400, 5_000], &random)
    hasRoles = random.chance(0.35)
    hasLateComers = random.chance(0.4)
    func weight(_ random: inout SeededRandom) -> Int { oneOf([0, 1, 1, 4], &random) }
    // Numbers from a copy, so that the lives of the other fleets stay what they were.
    var other = random
    let rollsBack = other.chance(0.2)
    weights = [
      .cut: weight(&random) + 1, .partition: weight(&random), .distort: weight(&random),
      .slow: weight(&random), .crash: weight(&random) + 1, .powerLoss: weight(&random),
      .restart: weight(&random), .disk: weight(&random), .slowDisk: weight(&random) / 2,
      .look: weight(&random) / 2, .history: weight(&random) / 2, .clock: weight(&random),
      .backup: weight(&random), .recover: weight(&random), .clone: weight(&random) / 2,
      .versions: weight(&random) / 2, .sharing: weight(&random) / 2, .sync: weight(&random) / 2,
      .image: rollsBack ? 3 : 0, .rollBack: rollsBack ? 4 : 0,
    ]
  }

  /// The pairs of machines that join.
  func edges(using random: inout SeededRandom) -> [Script.Edge] {
    var edges: [Script.Edge] = []
    for index in 1..<machines {
      switch shape {
      case .star: edges.append(Script.Edge(index, 0))
      case .chain, .ring: edges.append(Script.Edge(index, index - 1))
      case .mesh:
        for other in 0..<index where other == index - 1 || random.chance(0.6) {
          edges.append(Script.Edge(index, other))
        }
      case .tree: edges.append(Script.Edge(index, Int(random.next() % UInt64(index))))
      }
    }
    if shape == .ring { edges.append(Script.Edge(0, machines - 1)) }
    for index in edges.indices {
      if hasLateComers, random.chance(0.4) {
        edges[index].milliseconds = Int64.random(in: 5_000...120_000, using: &random)
      }
      guard hasRoles, random.chance(0.6) else { continue }
      edges[index].role = oneOf([.editor, .editor, .editor, .viewer, .relay], &random)
      if random.chance(0.4) {
        edges[index].palette = Int(random.next() % UInt64(min(palettes, 3)))
      }
    }
    return edges
  }

  private func oneOf<Value>(_ values: [Value], _ random: inout SeededRandom) -> Value {
    values[Int(random.next() % UInt64(values.count))]
  }
}
