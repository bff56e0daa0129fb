internal import PaletteModel

/// The parts of a palette that files of a format can hold beside the order of its colors.
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
  /// The names of its colors, in the spelling of identifiers.
  public static let identifiers = Self(rawValue: 1 << 6)
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
  /// The parts of a palette that are missing in the bytes that this format made of it, for people.
  ///
  /// Neither the ids count nor the name of the palette, which the file's own name says, nor names that
  /// are only the color in hexadecimal.
  ///
  /// The bytes are read back: nothing else tells what a format rounds, spells otherwise or leaves out.
  /// Of a format that cannot be read, what it says that it keeps is believed.
  public func losses(of sheet: PaletteSheet, in bytes: [UInt8]) -> [String] {
    guard reads, let contents = try? read(FileProbe(bytes)),
      contents.entries.count == sheet.colors.count
    else { return losses(of: sheet) }
    var counts: [Loss: Int] = [:]
    for (color, entry) in zip(sheet.colors, contents.entries) {
      if let name = entry.name {
        if !name.hasSameBytes(as: color.name) { counts[.spelling, default: 0] += 1 }
      } else if color.hasOwnName {
        counts[.name, default: 0] += 1
      }
      if !(entry.note ?? "").hasSameBytes(as: color.note) { counts[.note, default: 0] += 1 }
      if entry.color.alpha != color.color.alpha, entry.color.hex != color.color.hex {
        counts[.opacity, default: 0] += 1
      }
      let (kept, wanted) = (entry.color.opaque, color.color.opaque)
      if kept != wanted, kept.bytes8 == nil || wanted.bytes8 == nil || kept.hex != wanted.hex {
        counts[.value, default: 0] += 1
      }
    }
    return describe(counts, of: sheet)
  }

  /// The parts of a palette for which a file of this format has no place.
  private func losses(of sheet: PaletteSheet) -> [String] {
    let colors = sheet.colors
    var counts: [Loss: Int] = [:]
    if keeps.isDisjoint(with: [.names, .identifiers]) {
      counts[.name] = colors.count(where: \.hasOwnName)
    }
    if !keeps.contains(.notes) { counts[.note] = colors.count { !$0.note.isEmpty } }
    if !keeps.contains(.alpha) { counts[.opacity] = colors.count { $0.color.alpha != 1 } }
    if !keeps.contains(.spaces) {
      counts[.value] = colors.count { $0.color.opaque.bytes8 == nil }
    }
    return describe(counts, of: sheet)
  }

  private func describe(_ counts: [Loss: Int], of sheet: PaletteSheet) -> [String] {
    var counts = counts
    let names = sheet.colors.map(\.name)
    if !keepsOrder, names != names.sorted() { counts[.order] = names.count }
    return Loss.allCases.compactMap { loss -> String? in
      guard let count = counts[loss], count > 0 else { return nil }
      return "\(loss.rawValue) of \(count) \(count == 1 ? "color" : "colors")"
    }
  }
}

extension NamedColor {
  fileprivate var hasOwnName: Bool { !name.isEmpty && name != color.hex }
}

/// The losses of a color in a file, as people read them.
private enum Loss: String, CaseIterable {
  case name = "the name"
  case spelling = "the spelling of the name"
  case note = "the note"
  case opacity = "the opacity"
  case value = "the exact value"
  case order = "the order"
}
