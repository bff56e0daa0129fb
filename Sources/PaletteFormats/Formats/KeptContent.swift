internal import PaletteModel

/// What files of a format can hold of a palette beside the order of its colors.
///
/// What an export drops, and what a test expects to read back, follow from this alone.
public struct KeptContent: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The name of the palette.
  public static let title = Self(rawValue: 1 << 0)
  /// The names of its colors.
  public static let names = Self(rawValue: 1 << 1)
  /// The notes of its colors.
  public static let notes = Self(rawValue: 1 << 2)
  /// Opacity.
  public static let alpha = Self(rawValue: 1 << 3)
  /// The ids of its colors.
  public static let ids = Self(rawValue: 1 << 4)
  /// The space in which a color was authored, with its exact components.
  public static let spaces = Self(rawValue: 1 << 5)

  /// Everything.
  public static let all: Self = [.title, .names, .notes, .alpha, .ids, .spaces]
}

extension FileFormat {
  /// What of a palette a file of this format would not show, for people; the ids are not counted.
  public func losses(of sheet: PaletteSheet) -> [String] {
    let colors = sheet.colors
    let counts: [(KeptContent, Int, String)] = [
      (.names, colors.count { !$0.name.isEmpty }, "the name"),
      (.notes, colors.count { !$0.note.isEmpty }, "the note"),
      (.alpha, colors.count { $0.color.alpha != 1 }, "the opacity"),
      (.spaces, colors.count { !$0.color.opaque.isBytes }, "the exact value"),
    ]
    let title = keeps.contains(.title) || sheet.name.isEmpty ? [] : ["the name of the palette"]
    return title
      + counts.compactMap { kept, count, what in
        guard count > 0, !keeps.contains(kept) else { return nil }
        return "\(what) of \(count) \(count == 1 ? "color" : "colors")"
      }
  }
}

extension Color {
  fileprivate var isBytes: Bool { bytes8 != nil }
}
