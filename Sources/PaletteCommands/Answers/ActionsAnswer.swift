internal import PaletteFormats
package import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// The actions of a palette, newest first.
package struct ActionsAnswer: ObjectAnswer {
  fileprivate let actions: [ActionAnswer]
  /// From when on all changes are known; nil when there are no older ones.
  fileprivate let since: Int64?

  package static let schemaName = "Actions"
  package static let fields: [Field<Self>] = [
    Field("actions") { $0.actions }, Field("since", "ISO 8601") { $0.since.map { $0.moment } },
  ]
}

package struct ActionAnswer: ObjectAnswer {
  let tally: ActionTally
  let account: ActionWords.Account
  let author: String?
  let member: String?
  let isNamesake: Bool
  let isUndone: Bool?
  fileprivate let colors: [ChangedColor]

  package static let schemaName = "Action"
  package static let fields: [Field<Self>] = [
    Field("action", "stamp:node, which all its changes carry") { $0.tally.id.description },
    Field("time", "ISO 8601") { $0.tally.id.stamp.milliseconds.moment },
    Field("author", "what the author is called, a claim") { $0.author },
    Field(whereKnown: "namesake", "true where another library used the name of the author first") {
      $0.isNamesake ? true : nil
    },
    Field("node") { $0.tally.id.node.description },
    Field(whereKnown: "member", "as presence has it, of who edits through this library") {
      $0.member
    },
    Field("kind", words: ActionKind.allCases.map(\.rawValue)) { $0.account.kind.rawValue },
    Field("count", "of colors that changed") { $0.tally.count },
    Field("summary", "a sentence without its subject") { $0.account.summary },
    Field("undone", "null for what was not done through this library") { $0.isUndone },
    Field(
      "colors",
      "the first \(ActionTally.listedColors) that changed, as they are now or were last"
    ) { $0.colors },
  ]
}

private struct ChangedColor: ObjectAnswer {
  let id: RecordID
  let shown: ShownRecord?

  static let fields: [Field<Self>] = [
    Field("id", "a UUID, lower case") { $0.id.description }, Field("name") { $0.shown?.name },
    Field("hex", "#rrggbb or #rrggbbaa") { $0.shown?.color?.hex },
  ]
}

extension LibraryCall {
  /// The actions of the palette that the call names.
  func actions() throws -> ActionsAnswer {
    let limit = try parameters.optionalCount("limit")
    let before = try parameters.optionalAction("before")
    return try readingPalette(orDropped: true) { store, palette in
      if let before { try store.checkHolds(before, in: palette) }
      let tallies = try store.actions(of: palette.id, limit: limit, before: before)
      var names = CachedAuthorNames(library, store, in: palette.id)
      var namesakes = try Namesakes(store, in: palette.id)
      var words = ActionWords(store, palette)
      try words.read(subjectsOf: tallies)
      let undone = try store.undoneActions(of: palette.id)
      return ActionsAnswer(
        actions: try tallies.map { tally in
          let author = try names.name(of: tally.id.node)
          return ActionAnswer(
            tally: tally,
            account: try words.account(of: tally),
            author: author,
            member: try names.member(of: tally.id.node),
            isNamesake: try namesakes.contains(tally.id.node, called: author),
            isUndone: store.isOwn(tally.id.node) ? undone.contains(tally.id) : nil,
            colors: try tally.firstColors.map {
              ChangedColor(id: $0, shown: try store.record($0, in: palette.id))
            }
          )
        },
        since: try store.historySince(of: palette.id)
      )
    }
  }
}

extension ChangeStore {
  /// Refuses an action of which nothing is held.
  func checkHolds(_ action: ActionID, in palette: PaletteSummary) throws {
    guard try actions([action], of: palette.id).isEmpty else { return }
    throw APIError(
      code: "not-found",
      message: "no action \(action) of '\(palette.name)' is held here",
      hint: "it may have been compacted; take one from 'hued history --actions --json'"
    )
  }
}

extension Parameters {
  /// An argument that names an action if it is there.
  fileprivate func optionalAction(_ key: String) throws(APIError) -> ActionID? {
    guard let text = try optionalText(key) else { return nil }
    if let action = ActionID(text) { return action }
    throw APIError(
      code: "bad-value",
      message: "the argument '\(key)' must be an action",
      hint: "take it from 'action' in 'hued history --actions --json'"
    )
  }
}

extension Received where Form == ActionAnswer {
  package var action: String { text("action") }
  package var time: String { text("time") }
  package var author: String { text("author") }
  package var isNamesake: Bool { isSet("namesake") }
  package var node: String { text("node") }
  package var kind: Word<ActionKind> { word("kind") }
  package var summary: String { text("summary") }
  package var isUndone: Bool { isSet("undone") }
  /// The colors that changed, as hex.
  package var colors: [String] {
    let colors: [Received<ChangedColor>] = parts("colors")
    return colors.compactMap { $0.optionalText("hex") }
  }
}
