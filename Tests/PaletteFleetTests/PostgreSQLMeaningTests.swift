import Testing

@testable import PaletteFleet

struct PostgreSQLMeaningTests {
  @Test(arguments: ["42P07", "23505", "42710"])
  func aTableThatSomebodyElseIsMakingIsThere(state: String) {
    let error = SharedLogError(state: state, message: "it already exists")
    #expect(error.outcome == .notDone && error.reason == .exists)
  }
}
