/// The one source of random numbers of a core.
///
/// Its parts share it, so that a whole fleet's run can be repeated from a seed.
final class RandomSource {
  private var generator: any RandomNumberGenerator

  init(_ generator: some RandomNumberGenerator) {
    self.generator = generator
  }

  /// A time between zero and a limit.
  func milliseconds(upTo limit: Int64) -> Int64 { Int64.random(in: 0...limit, using: &generator) }

  /// Bytes that nobody can guess.
  func secret() -> [UInt8] {
    (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
