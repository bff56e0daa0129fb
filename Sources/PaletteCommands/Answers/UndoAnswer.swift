internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// What undo or redo did, and what it had to leave.
struct UndoAnswer: ObjectAnswer {
  fileprivate let changed: [Changed]
  fileprivate let skipped: [Skipped]
  fileprivate let forgotten: Int

  static let schemaName = "Undone"
  static let fields: [Field<Self>] = [
    Field("changed") { $0.changed }, Field("skipped") { $0.skipped },
    Field("forgotten") { $0.forgotten },
  ]

  /// A color that is listed again, or one that is gone.
  fileprivate enum Changed: JSONRepresentable {
    case listed(RecordAnswer)
    case removed(RemovedColor)

    static let schema = Schema.either([RecordAnswer.schema, RemovedColor.schema])

    var json: JSON {
      switch self {
      case .listed(let record): record.json
      case .removed(let color): color.json
      }
    }
  }

  fileprivate struct RemovedColor: ObjectAnswer {
    let id: RecordID

    static let schemaName = "Removed"
    static let fields: [Field<Self>] = [
      Field("id", "a UUID, lower case") { $0.id.description }, Field("removed") { _ in true },
    ]
  }

  /// What was left alone, and why.
  fileprivate struct Skipped: ObjectAnswer {
    let skipped: UndoOutcome.Skipped

    static let fields: [Field<Self>] = [
      Field("id", "a UUID, lower case") { $0.skipped.record.description },
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
  /// What undo and redo answer.
  func answer(about outcome: UndoOutcome?, in palette: PaletteID) throws -> UndoAnswer {
    let changed = outcome?.changed ?? []
    let indexes = try indexes(of: changed, in: palette)
    return UndoAnswer(
      changed: try changed.map { record in
        guard let index = indexes[record] else { return .removed(.init(id: record)) }
        return .listed(try answer(about: record, in: palette, index: index))
      },
      skipped: (outcome?.skipped ?? []).map { .init(skipped: $0) },
      forgotten: outcome?.forgotten ?? 0
    )
  }

  /// Where colors stand; those that are not listed are left out.
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
