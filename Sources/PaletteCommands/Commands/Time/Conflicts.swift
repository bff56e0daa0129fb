internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let conflicts = Command(
    "conflicts",
    .time,
    .read,
    view: .conflicts,
    summary: "Lists values that were written concurrently",
    details: [
      "One value of each conflict is shown everywhere; the others wait for the next write or "
        + "`hued resolve`. When piped, each line holds palette, id, register, value, node, "
        + "stamp, `shown` or `sibling`, and author."
    ],
    positionals: [.onlyPalette],
    examples: [
      .init("hued conflicts", "show the conflicts of all palettes"),
      .init("hued conflicts Sunset", "show those of one palette"),
    ],
    otherNames: ["diff"]
  ) { call in
    if try call.parameters.optionalText("palette") != nil {
      return try call.readingPalette { store, palette in
        ConflictsAnswer(conflicts: try store.conflictAnswers(of: palette.id, call.library))
      }
    }
    guard let store = try call.library.reading() else { return ConflictsAnswer(conflicts: []) }
    return try store.read {
      let palettes = try store.palettesInConflict()
      return ConflictsAnswer(
        conflicts: try palettes.flatMap { try store.conflictAnswers(of: $0.id, call.library) }
      )
    }
  }.reading(.palette)
    .with(\.isPaged)
    .with(\.isAboutNamedPalette)
}

/// The registers that were written concurrently.
package struct ConflictsAnswer: ObjectAnswer {
  let conflicts: [ConflictAnswer]

  package static let fields: [Field<Self>] = [Field("conflicts") { $0.conflicts }]
}

package struct ConflictAnswer: ObjectAnswer {
  let palette: PaletteID
  let conflict: Conflict
  /// The name of the color, or of the palette.
  let name: String?
  /// The names of the authors of the values, in the order of the values.
  let authors: [String?]
  /// The members whose values they are, where those edit through this library.
  let members: [String?]

  package static let schemaName = "Conflict"
  package static let fields: [Field<Self>] = [
    Field("palette", "a UUID, lower case") { $0.palette.description },
    Field("id", "a UUID, lower case") { $0.conflict.record.description },
    Field("name", "of the color, or of the palette") { $0.name },
    Field("register", words: Conflict.words) { $0.conflict.register.description },
    Field("values") { answer in
      answer.conflict.choices.indices.map { ChoiceAnswer(answer: answer, index: $0) }
    },
  ]
}

package struct ChoiceAnswer: ObjectAnswer {
  let answer: ConflictAnswer
  let index: Int

  private var choice: Conflict.Choice { answer.conflict.choices[index] }

  package static let fields: [Field<Self>] = [
    Field("value") { $0.choice.value.text(of: $0.answer.conflict.register) },
    Field("node") { $0.choice.dot.node.description },
    Field(whereKnown: "member", "as presence has it, of who edits through this library") {
      $0.answer.members[$0.index]
    },
    Field("author", "what the author is called, a claim") { $0.answer.authors[$0.index] },
    Field("stamp", "16 hexadecimal digits that sort as stamps do") { $0.choice.stamp.description },
    Field("shown") { $0.index == 0 },
  ]
}

extension ChangeStore {
  fileprivate func conflictAnswers(
    of palette: PaletteID,
    _ library: any LibraryAccess
  ) throws -> [ConflictAnswer] {
    var names = CachedAuthorNames(library, self, in: palette)
    return try listedConflicts(of: palette).map { conflict, name in
      let authors = try conflict.choices.map { try names.name(of: $0.dot.node) }
      let members = try conflict.choices.map { try names.member(of: $0.dot.node) }
      return ConflictAnswer(
        palette: palette,
        conflict: conflict,
        name: name,
        authors: authors,
        members: members
      )
    }
  }
}

extension Conflict {
  /// The words for the registers that can be in conflict.
  static let words = registers.map(\.description)

  /// The words as a list in a sentence.
  static let wordList = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
}

extension Received where Form == ConflictsAnswer {
  package var conflicts: [Received<ConflictAnswer>] { parts("conflicts") }
}

extension Received where Form == ConflictAnswer {
  package var palette: String { text("palette") }
  package var id: String { text("id") }
  package var name: String? { optionalText("name") }
  package var register: String { text("register") }
  /// True if the values are colors.
  package var isOfColor: Bool { register == Register.color.description }
  package var values: [Received<ChoiceAnswer>] { parts("values") }
}

extension Received where Form == ChoiceAnswer {
  package var value: String { text("value") }
  package var node: String { text("node") }
  package var author: String? { optionalText("author") }
  package var stamp: String { text("stamp") }
  package var isShown: Bool { isSet("shown") }
}
