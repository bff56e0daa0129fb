import PaletteModel

/// A recoloring that is under way: one edit, from the first move of a slider to its end.
struct SliderGesture: Equatable {
  /// The space whose components the sliders are.
  enum Model: String, CaseIterable {
    case oklch = "OKLCH"
    case hsb = "HSB"
    case rgb = "RGB"

    fileprivate var space: ColorSpace {
      switch self {
      case .oklch: .oklch
      case .hsb: .hsb
      case .rgb: .srgb
      }
    }

    /// Letter, upper end of the shown numbers, and step of one press.
    var sliders: [(letter: String, top: Double, step: Double)] {
      switch self {
      case .oklch: [("L", 100, 1), ("C", 0.4, 0.01), ("H", 360, 1)]
      case .hsb: [("H", 360, 1), ("S", 100, 1), ("B", 100, 1)]
      case .rgb: [("R", 255, 1), ("G", 255, 1), ("B", 255, 1)]
      }
    }

    /// The factors between shown numbers and the components of the color.
    private var scales: [Double] {
      switch self {
      case .oklch: [0.01, 1, 1]
      case .hsb: [1, 1, 1]
      case .rgb: [1.0 / 255, 1.0 / 255, 1.0 / 255]
      }
    }

    fileprivate func values(of color: Color) -> [Double] {
      zip(color.components(in: space), scales).map { ($0 ?? 0) / $1 }
    }

    fileprivate func color(_ values: [Double], alpha: Double?) -> Color {
      let parts = zip(values, scales).map { $0 * $1 }
      return Color(space, parts[0], parts[1], parts[2], alpha: alpha)
    }
  }

  /// The color that is changed.
  let id: String
  /// Names the values that it had when the gesture began.
  let seen: String?
  private(set) var model = Model.oklch
  /// The numbers as they are shown.
  private(set) var values: [Double]
  private(set) var active = 0
  /// A number that is being typed for the active slider.
  private(set) var typed = ""
  private let alpha: Double?
  private var changed: Color?
  private let original: Color

  /// Begins with a color as it is now.
  init(_ color: Color, id: String, seen: String?) {
    self.id = id
    self.seen = seen
    original = color
    alpha = color.alpha
    values = Model.oklch.values(of: color)
  }

  /// The color that the sliders say; the one of the beginning while none was moved.
  var color: Color { changed ?? original }

  /// True if a slider says something else than at the beginning.
  var isChanged: Bool { changed != nil }

  /// Chooses another slider.
  mutating func choose(_ index: Int) {
    enter()
    active = (index + 3) % 3
  }

  /// Moves the active slider by some steps.
  mutating func move(by steps: Double) {
    enter()
    set(values[active] + steps * model.sliders[active].step)
  }

  /// Sets the active slider to a part of its length.
  mutating func set(part: Double) {
    typed = ""
    set(part * model.sliders[active].top)
  }

  /// Shows the next kind of sliders; the color stays.
  mutating func turn() {
    enter()
    let all = Model.allCases
    model = all[((all.firstIndex(of: model) ?? 0) + 1) % all.count]
    values = model.values(of: color)
  }

  /// Types a sign of a number.
  mutating func type(_ character: Character) {
    guard typed.count < 8, character.isASCII, character.isNumber || character == "." else { return }
    typed.append(character)
  }

  /// Takes back the last sign.
  mutating func erase() { typed = String(typed.dropLast()) }

  /// Takes over the number that was typed.
  mutating func enter() {
    if let number = Double(typed) { set(number) }
    typed = ""
  }

  private mutating func set(_ number: Double) {
    guard number.isFinite else { return }
    let top = model.sliders[active].top
    let isAngle = top == 360
    let number =
      isAngle && (number < 0 || number > 360)
      ? (number + 360).truncatingRemainder(dividingBy: 360) : number
    values[active] = min(max(0, number), top)
    changed = model.color(values, alpha: alpha)
  }
}
