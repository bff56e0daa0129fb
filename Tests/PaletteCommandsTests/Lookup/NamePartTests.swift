import PaletteTestSupport
import Testing

@testable import PaletteCommands

struct NamePartTests {
  @Test(arguments: [
    ("", "Sea", true), ("sea", "Deep SEA", true), ("ea d", "Sea Deep", true), ("sea", "Se", false),
    ("aab", "aaaab", true), ("abab", "aabaabab", true), ("é", "CAFÉ", true), ("x", "", false),
  ])
  func isFoundInEitherCase(_ part: String, _ name: String, _ isIn: Bool) {
    #expect(NamePart(part).isIn(name) == isIn)
  }

  @Test(arguments: TestSeeds.some(of: 20))
  func findsWhatContainsFinds(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    func text(_ length: Int) -> String {
      String((0..<length).map { _ in "ab".randomElement(using: &random) ?? "a" })
    }
    for _ in 0..<200 {
      let (part, name) = (text(Int.random(in: 1...6, using: &random)), text(12))
      #expect(NamePart(part).isIn(name) == name.contains(part), "\(part) in \(name)")
    }
  }
}
