import PaletteMerge

extension MetaKey {
  /// The run tag of this node and the counter of its runs.
  static let placeGenerator = MetaKey("place.generator")
}

/// The source of the places of colors.
///
/// The generator is read when it is first needed, and again after a transaction failed.
final class PlaceSource {
  private let database: StoreDatabase
  private var random: StoreRandom
  private var generator: PlaceGenerator?
  /// The generator as it is on disk.
  private var stored: PlaceGenerator?

  init(_ database: StoreDatabase, _ random: StoreRandom) {
    self.database = database
    self.random = random
  }

  /// Places between two others; nil where they leave no room.
  func places(
    count: Int,
    after: Place?,
    before: Place?,
    newer: PlaceNeighbour
  ) throws(StoreError) -> [Place]? {
    var present = try load()
    let places = present.places(
      count: count,
      after: after,
      before: before,
      newer: newer,
      using: &random
    )
    generator = present
    return places
  }

  private func load() throws(StoreError) -> PlaceGenerator {
    if let generator { return generator }
    stored = try database.meta(.placeGenerator).flatMap { PlaceGenerator(storedBytes: $0) }
    return stored ?? PlaceGenerator(using: &random)
  }

  /// Writes the generator where it has changed, within a transaction.
  func save() throws(StoreError) {
    guard let generator, generator != stored else { return }
    try database.setMeta(.placeGenerator, generator.storedBytes)
  }

  /// Reads the generator again when it is next needed.
  func forget() { generator = nil }

  /// Gives up the generator for one that was just written.
  func replace() {
    generator = nil
    stored = nil
  }
}

extension PlaceGenerator {
  /// The tag's three bytes and the counter.
  var storedBytes: [UInt8] { tag.bytes + [counter] }

  /// Reads what `storedBytes` wrote.
  init?(storedBytes bytes: [UInt8]) {
    guard bytes.count == 4, let tag = RunTag(bytes: bytes.prefix(3)) else { return nil }
    self.init(tag: tag, counter: bytes[3])
  }
}
