import PaletteMerge
import PaletteModel

/// The form in which results are shown.
struct Presentation: Equatable {
  /// True if a person reads it; otherwise lines are tab-separated.
  var isTerminal = false
  var depth = ColorDepth.none
  var columns = 80
  /// How many lines are seen at once; nil where nobody knows.
  var rows: Int?
  var isQuiet = false
  var isVerbose = false
  /// True if tables may be wider than the terminal.
  var isWide = false
  /// True if the terminal shows ASCII only.
  var isWithoutUnicode = false
  /// The present, from which the age of things is told.
  var now = Moment(milliseconds: 0)
}

/// The number of colors the output can show.
enum ColorDepth: Equatable {
  case none
  case indexed16
  case indexed256
  case truecolor

  /// The depth that flag, environment and kind of output lead to.
  static func choose(
    _ mode: GlobalOptions.Color,
    isTerminal: Bool,
    variables: [String: String]
  ) -> ColorDepth {
    switch mode {
    case .never:
      return .none
    case .always:
      // Somebody who insists, without saying what the terminal can do, gets the exact colors.
      let announced = announced(by: variables)
      return announced == .none ? .truecolor : announced
    case .auto:
      let refused = variables["NO_COLOR"].map { !$0.isEmpty } ?? false
      return refused || !isTerminal ? .none : announced(by: variables)
    }
  }

  /// The depth of a program with the whole screen: a terminal that announces nothing has 16 colors.
  static func chooseForScreen(_ mode: GlobalOptions.Color, variables: [String: String])
    -> ColorDepth
  {
    let depth = choose(mode, isTerminal: true, variables: variables)
    let isRefused = mode == .never || !(variables["NO_COLOR"] ?? "").isEmpty
    return depth == .none && !isRefused && mode == .auto ? .indexed16 : depth
  }

  private static func announced(by variables: [String: String]) -> ColorDepth {
    let terminal = variables["TERM"] ?? ""
    if terminal == "dumb" { return .none }
    if ["truecolor", "24bit"].contains(variables["COLORTERM"]) { return .truecolor }
    if terminal.hasSuffix("-direct") { return .truecolor }
    return terminal.hasSuffix("256color") ? .indexed256 : .none
  }
}
