package import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// The effect of undo or redo, and the records that it had to leave.
package struct UndoAnswer: ObjectAnswer {
  fileprivate let changed: [Changed]
  fileprivate let skipped: [Skipped]
  fileprivate let forgotten: Int
  fileprivate let action: ActionID?
  fileprivate let summary: String?
  fileprivate let next: Undoable

  package static let schemaName = "Undone"
  package static let fields: [Field<Self>] = [
    Field("changed") { $0.changed }, Field("skipped") { $0.skipped },
    Field("forgotten") { $0.forgotten },
    Field("action", "the one that was undone or made again") { $0.action?.description },
    Field("summary", "what that action was") { $0.summary },
    Field("canUndo", "whether there is more to undo") { $0.next.canUndo },
    Field("canRedo") { $0.next.canRedo },
  ]

  /// A color that is listed again, or one that is gone.
  package enum Changed: JSONRepresentable {
    case listed(RecordAnswer)
    case removed(RemovedColor)

    package static let schema = Schema.either([RecordAnswer.schema, RemovedColor.schema])

    package var json: JSON {
      switch self {
      case .listed(let record): record.json
      case .removed(let color): color.json
      }
    }
  }

  package struct RemovedColor: ObjectAnswer {
    fileprivate let id: RecordID
    /// The name that it had.
    fileprivate let name: String?

    package static let schemaName = "Removed"
    package static let fields: [Field<Self>] = [
      Field("id", "a UUID, lower case") { $0.id.description }, Field("removed") { _ in true },
      Field("name") { $0.name },
    ]
  }

  /// A record that was left alone, with the reason.
  package struct Skipped: ObjectAnswer {
    fileprivate let skipped: UndoOutcome.Skipped
    /// The color's name, or the last it had.
    fileprivate let name: String?

    package static let fields: [Field<Self>] = [
      Field("id", "a UUID, lower case") { $0.skipped.record.description },
      Field("name") { $0.name },
      Field("register") { $0.skipped.register?.description },
      Field("reason") { answer in
        answer.skipped.register == nil
          ? "the color was edited or removed elsewhere since"
          : "another value was written since"
      },
    ]
  }
}

extension ChangeStore {
  /// The answer of undo and redo.
  func answer(
    about outcome: UndoOutcome?,
    in palette: PaletteSummary,
    by author: AuthorID
  ) throws -> UndoAnswer {
    let changed = outcome?.changed ?? []
    let indexes = try indexes(of: changed, in: palette.id)
    let action = try outcome?.action.flatMap { try actions([$0], of: palette.id)[$0] }
    let words = ActionWords(self, palette)
    return UndoAnswer(
      changed: try changed.map { record in
        guard let index = indexes[record] else {
          return .removed(.init(id: record, name: try words.name(of: record)))
        }
        return .listed(try answer(about: record, in: palette.id, index: index))
      },
      skipped: try (outcome?.skipped ?? []).map {
        .init(skipped: $0, name: try words.name(of: $0.record))
      },
      forgotten: outcome?.forgotten ?? 0,
      action: outcome?.action,
      summary: try action.map { try words.account(of: $0).summary },
      next: try undoable(in: palette.id, by: author)
    )
  }

  /// The indexes of colors; those that are not listed are left out.
  private func indexes(
    of records: [RecordID],
    in palette: PaletteID
  ) throws -> [RecordID: Int] {
    var indexes: [RecordID: Int] = [:]
    // Each single search looks at the whole palette, so for many one list is cheaper.
    if records.count < 8 {
      for record in records { indexes[record] = try index(of: record, in: palette) }
      return indexes
    }
    let wanted = Set(records)
    for (index, entry) in try colors(of: palette).enumerated() where wanted.contains(entry.color.id)
    {
      indexes[entry.color.id] = index
    }
    return indexes
  }
}

extension Received where Form == UndoAnswer {
  package var changed: [Received<UndoAnswer.Changed>] { parts("changed") }
  package var skipped: [Received<UndoAnswer.Skipped>] { parts("skipped") }
  package var forgotten: Int { integer("forgotten") ?? 0 }
  package var summary: String? { optionalText("summary") }
}

extension Received where Form == UndoAnswer.Changed {
  package var isRemoved: Bool { isSet("removed") }
  /// The color; of one that is removed, its id and name are known.
  package var record: Received<RecordAnswer> { Received<RecordAnswer>(json) }
}

extension Received where Form == UndoAnswer.Skipped {
  package var id: String { text("id") }
  package var name: String? { optionalText("name") }
  package var register: String? { optionalText("register") }
  package var reason: String { text("reason") }
}
