import PaletteModel
import Testing

@testable import PaletteSimulation

/// Shortening, with a run that is made up.
struct ShrinkerTests {
  /// Fails whenever both of two steps are there.
  private func fails(_ script: Script, over needed: Set<Int>, as kind: String) -> Violation? {
    needed.isSubset(of: script.steps.map(\.number)) ? Violation(kind, "both are there") : nil
  }

  @Test func whatItFailsWithoutIsTakenOut() {
    let script = Script(seed: 11)
    let needed: Set<Int> = [20, 63]
    let shrinker = Shrinker(script, Violation("odd", "")) { fails($0, over: needed, as: "odd") }
    let found = Shrinker.shrink(shrinker)
    #expect(Set(found.script.steps.map(\.number)) == needed)
    #expect(found.violation.text == "both are there")
  }

  @Test func anotherFailureDoesNotCount() {
    let script = Script(seed: 11)
    let shrinker = Shrinker(script, Violation("odd", "")) { candidate in
      candidate.steps.count < script.steps.count ? Violation("other", "") : Violation("odd", "")
    }
    #expect(Shrinker.shrink(shrinker).script.steps == script.steps)
  }
}
