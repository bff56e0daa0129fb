import Testing

@testable import hued

struct ColorDepthTests {
  struct Case: Sendable {
    let mode: GlobalOptions.Color
    let isTerminal: Bool
    let variables: [String: String]
    let depth: ColorDepth

    init(
      _ mode: GlobalOptions.Color,
      _ isTerminal: Bool,
      _ variables: [String: String],
      _ depth: ColorDepth
    ) {
      self.mode = mode
      self.isTerminal = isTerminal
      self.variables = variables
      self.depth = depth
    }
  }

  static let full = ["COLORTERM": "truecolor", "TERM": "xterm-256color"]

  @Test(arguments: [
    Case(.auto, true, full, .truecolor),
    Case(.auto, true, ["COLORTERM": "24bit", "TERM": "xterm"], .truecolor),
    Case(.auto, true, ["TERM": "xterm-direct"], .truecolor),
    Case(.auto, true, ["TERM": "xterm-256color"], .indexed256),
    Case(.auto, true, ["TERM": "screen-256color", "COLORTERM": "yes"], .indexed256),
    Case(.auto, true, ["TERM": "vt100"], .none),
    Case(.auto, true, [:], .none),
    Case(.auto, true, ["TERM": "dumb", "COLORTERM": "truecolor"], .none),
    Case(.auto, true, full.merging(["NO_COLOR": "1"]) { $1 }, .none),
    Case(.auto, true, full.merging(["NO_COLOR": ""]) { $1 }, .truecolor),
    Case(.auto, false, full, .none),
    Case(.never, true, full, .none),
    Case(.always, false, full, .truecolor),
    Case(.always, false, full.merging(["NO_COLOR": "1"]) { $1 }, .truecolor),
    Case(.always, false, ["TERM": "xterm-256color"], .indexed256),
    Case(.always, false, [:], .truecolor),
    Case(.always, true, ["TERM": "dumb"], .truecolor),
  ])
  func followsFlagAndEnvironment(_ given: Case) {
    let depth = ColorDepth.choose(
      given.mode,
      isTerminal: given.isTerminal,
      variables: given.variables
    )
    #expect(depth == given.depth)
  }
}
