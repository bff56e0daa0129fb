internal import PaletteFormats
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let sort = Command(
    "sort",
    .colors,
    .edit,
    view: .list,
    summary: "Sorts the colors of a palette",
    details: [
      "KEY is hue, lightness, chroma (all of OKLCH) or name. Colors with the same key keep their "
        + "order; greys, which have no hue, come before the others. `hued undo` takes the whole "
        + "sorting back."
    ],
    positionals: [.palette],
    flags: [Flag("by", "KEY", "what to sort by", content: .word(SortKey.allCases.map(\.rawValue)))],
    choices: [Choice(["by"], isRequired: true)],
    examples: [.init("hued sort Brand --by lightness", "from dark to light")],
    otherNames: ["order"]
  ) { call in try sorting.carryOut(call) }
  .planned(sorting)

  private static let sorting = EditPlan(
    isLong: { $0.palette.count > EditSubject.shortColors },
    plan: { .init(action: try $0.sorting()) },
    answer: { subject, _ in try subject.list() }
  )
}

extension EditSubject {
  /// The action that sorts the palette; nil where it is sorted.
  fileprivate func sorting() throws -> LongAction? {
    let word = try call.parameters.text("by")
    guard let key = SortKey(rawValue: word) else {
      throw APIError(
        code: "bad-value",
        message: "nothing can be sorted by '\(word)'",
        hint: "write one of \(SortKey.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    let list = try store.colors(of: palette.id)
    let colors = list.map(\.color)
    let diff = try PaletteDiff(from: colors, to: key.sorted(colors))
    return diff.isEmpty ? nil : LongAction(diff, on: list, as: .sort(key))
  }

  /// The palette as it is now.
  fileprivate func list() throws -> ListAnswer {
    let summary = try store.summary(of: palette.id) ?? palette
    return ListAnswer(
      sheet: PaletteSheet(summary, try store.colors(of: palette.id, withSeen: true))
    )
  }
}

extension SortKey {
  /// Below this chroma nobody sees a hue.
  private static let leastChroma = 0.005

  /// The colors in order; those that are equal stay as they were to one another.
  fileprivate func sorted(_ colors: [NamedColor]) -> [NamedColor] {
    guard self != .name else {
      let names = colors.map { Array($0.name.lowercased().utf8) }
      return order(colors) { names[$0].lexicographicallyPrecedes(names[$1]) }
    }
    let numbers = colors.map { number($0.color) }
    return order(colors) { numbers[$0] < numbers[$1] }
  }

  private func order(_ colors: [NamedColor], _ precedes: (Int, Int) -> Bool) -> [NamedColor] {
    colors.indices.sorted { precedes($0, $1) || (!precedes($1, $0) && $0 < $1) }.map { colors[$0] }
  }

  private func number(_ color: Color) -> Double {
    let parts = color.components(in: .oklch)
    let chroma = parts[1] ?? 0
    return switch self {
    case .hue: chroma < Self.leastChroma ? -1 : parts[2] ?? -1
    case .lightness: parts[0] ?? 0
    case .chroma: chroma
    case .name: 0
    }
  }
}
