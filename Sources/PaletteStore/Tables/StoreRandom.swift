/// The source of random numbers that all parts of a store draw from.
final class StoreRandom: RandomNumberGenerator {
  private var generator: any RandomNumberGenerator

  init(_ generator: any RandomNumberGenerator) {
    self.generator = generator
  }

  func next() -> UInt64 { generator.next() }
}
