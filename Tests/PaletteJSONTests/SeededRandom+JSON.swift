import PaletteJSON
import PaletteTestSupport

/// Repeatable random documents for property tests.
extension SeededRandom {
  mutating func text() -> String {
    let alphabet: [Character] = [
      "a", "\"", "\\", "/", "\n", "\t", "\0", "\u{E9}", "\u{1F3A8}", " ",
    ]
    return String((0..<below(12)).map { _ in alphabet[below(alphabet.count)] })
  }

  mutating func json(depth: Int) -> JSON {
    switch below(depth == 0 ? 5 : 7) {
    case 0: .null
    case 1: .bool(below(2) == 0)
    case 2: .integer(Int64(truncatingIfNeeded: next()))
    case 3: .number(Double(sign: .plus, exponent: below(600) - 300, significand: Double(next())))
    case 4: .string(text())
    case 5: .array((0..<below(5)).map { _ in json(depth: depth - 1) })
    default:
      .object(
        JSONObject((0..<below(5)).map { _ in JSONObject.Member(text(), json(depth: depth - 1)) })
      )
    }
  }
}
