import PaletteCommands

/// The layout of the colors and the sliders on a screen of some size.
struct GridLayout {
  /// The number of rows a color takes.
  static let height = 3
  /// The columns before and behind the line of a slider.
  static let beforeSlider = 3
  static let behindSlider = 10

  let perRow: Int
  /// The width of a color.
  let width: Int
  /// The rows of colors that fit.
  let rows: Int
  /// The first row of what belongs to the present mode.
  let panel: Int
  private let count: Int
  private let columns: Int

  init(_ state: EditorState) {
    columns = max(1, state.columns)
    perRow = max(1, columns / 18)
    width = columns / perRow
    let height =
      switch state.mode {
      case .recoloring: 5
      case .conflict(let conflict): min(conflict.conflict.values.count + 2, max(2, state.rows - 6))
      default: 2
      }
    panel = max(1, state.rows - height)
    rows = max(1, (panel - 1) / Self.height)
    count = state.colors.count
  }

  /// The color at a place of the screen.
  func index(row: Int, column: Int, top: Int) -> Int? {
    guard row >= 1, row < panel, column / width < perRow else { return nil }
    let index = (top + (row - 1) / Self.height) * perRow + column / width
    return index < count ? index : nil
  }

  /// The length of the line of a slider.
  var sliderLength: Int { max(2, columns - Self.beforeSlider - Self.behindSlider) }

  /// The slider at a place of the screen, and the part of its length.
  func slider(row: Int, column: Int) -> (Int, Double)? {
    let slider = row - panel - 1
    let place = column - Self.beforeSlider
    guard (0..<3).contains(slider), (0..<sliderLength).contains(place) else { return nil }
    return (slider, Double(place) / Double(sliderLength - 1))
  }
}
