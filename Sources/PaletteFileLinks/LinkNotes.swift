internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

extension LinkVersion {
  /// The differences of the file from a palette that its format makes, as people read them.
  func notes(on palette: LinkedPalette) -> [String] {
    var indexes: [RecordID: Int] = [:]
    for (index, listed) in palette.colors.enumerated() { indexes[listed.color.id] = index }
    var counts: [LinkNote: Int] = [:]
    var order: [Int] = []
    for line in lines {
      guard let index = indexes[line.id] else {
        counts[.gone, default: 0] += 1
        continue
      }
      order.append(index)
      for note in line.entry.notes(on: palette.colors[index].color) {
        counts[note, default: 0] += 1
      }
    }
    counts[.absent] = palette.colors.count - order.count
    let notes = LinkNote.allCases.compactMap { note in
      counts[note].flatMap { $0 > 0 ? note.text($0) : nil }
    }
    let isInOrder = zip(order, order.dropFirst()).allSatisfy { $0 < $1 }
    return notes + (isInOrder ? [] : ["the order is the file's own"])
  }
}

/// The difference of an entry from its color that a format makes.
private enum LinkNote: CaseIterable {
  case absent
  case gone
  case gamut
  case digits
  case opacity
  case nameless
  case spelling
  case note

  /// The difference of so many colors.
  func text(_ count: Int) -> String {
    let colors = count == 1 ? "1 color" : "\(count) colors"
    let (are, have) = count == 1 ? ("is", "has") : ("are", "have")
    return switch self {
    case .absent: "\(colors) of the palette \(are) not in the file"
    case .gone:
      "\(count == 1 ? "1 entry" : "\(count) entries") of the file \(are) not in the palette"
    case .gamut: "\(colors) outside sRGB \(are) written approximated"
    case .digits: "\(colors) \(are) rounded to what the file can say"
    case .opacity: "the opacity of \(colors) has no place in the file"
    case .nameless: "the \(count == 1 ? "name" : "names") of \(colors) \(have) no place in the file"
    case .spelling: "\(colors) \(have) another name in the file"
    case .note: "the \(count == 1 ? "note" : "notes") of \(colors) \(have) no place in the file"
    }
  }
}

extension FileEntry {
  /// The differences of the entry from its color.
  fileprivate func notes(on named: NamedColor) -> [LinkNote] {
    var notes: [LinkNote] = []
    if color != named.color {
      let (own, wanted) = (color.opaque, named.color.opaque)
      if own.bytes8 == nil || wanted.bytes8 == nil || own.hex != wanted.hex, own != wanted,
        !own.isNear(wanted)
      {
        let isWide = wanted.bytes8 == nil && !wanted.converted(to: .srgb).isInGamut
        notes.append(isWide ? .gamut : .digits)
      }
      if !hasAlpha, named.color.alpha != 1 { notes.append(.opacity) }
    }
    if let name {
      if !name.hasSameBytes(as: named.name), !stands(for: named.name) { notes.append(.spelling) }
    } else if !named.name.isEmpty, named.name != named.color.hex {
      notes.append(.nameless)
    }
    if !named.note.isEmpty, !(note ?? "").hasSameBytes(as: named.note) { notes.append(.note) }
    return notes
  }
}

extension Color {
  fileprivate var opaque: Color { Color(space, first, second, third) }

  /// Returns whether another color has the same numbers, but for the last digits.
  fileprivate func isNear(_ other: Color) -> Bool {
    let own = converted(to: other.space).components
    return zip(own, other.components).allSatisfy { abs(($0 ?? 0) - ($1 ?? 0)) < 1e-5 }
  }
}
