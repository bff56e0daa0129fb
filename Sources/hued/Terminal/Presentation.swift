import PaletteModel

/// How results are shown.
struct Presentation: Equatable {
  /// Whether a person reads it; otherwise lines are tab-separated.
  var isTerminal = false
  var depth = ColorDepth.none
  var columns = 80
  var isQuiet = false
  var isVerbose = false
  /// Whether tables may be wider than the terminal.
  var isWide = false
  /// Whether the terminal shows ASCII only.
  var isWithoutUnicode = false
  /// When it is looked at, from which it is told how long ago things were.
  var now = Moment(milliseconds: 0)
}
