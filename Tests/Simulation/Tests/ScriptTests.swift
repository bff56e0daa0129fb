import PaletteModel
import Testing

@testable import PaletteSimulation

/// Scripts: made up from seeds, cut down, and written out.
struct ScriptTests {
  @Test func aSeedIsAlwaysTheSameScript() {
    #expect(Script(seed: 7).description == Script(seed: 7).description)
    #expect(Script(seed: 7).description != Script(seed: 8).description)
  }

  @Test func theListOfStepsBringsThemBack() throws {
    let script = Script(seed: 3)
    let some = script.keeping(script.steps.filter { [1, 2, 3, 7, 9, 10].contains($0.number) })
    #expect(some.stepList == "1-3,7,9-10")
    #expect(script.keeping(steps: some.stepList)?.steps == some.steps)
    #expect(script.keeping(steps: "4-2") == nil)
    #expect(script.keeping(steps: "x") == nil)
  }

  @Test func aStepIsALineThatAPersonCanRead() {
    let step = Script.Step(4, at: 1_250, .edit(1, palette: 0, .add(first: 3, count: 1, at: 2)))
    #expect(step.description == "#4 1.250 B: add palette#0 c3 at 2")
  }

  @Test func runsOfOneScriptAreTheSame() {
    let (first, second) = (Script(seed: 5).run(), Script(seed: 5).run())
    #expect(first.summary == second.summary)
    #expect(first.violation == second.violation)
  }
}
