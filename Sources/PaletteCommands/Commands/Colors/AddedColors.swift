package import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// The answer of adding: the new color, or all of them.
package enum AddedColors: Answer, JSONRepresentable {
  case one(RecordAnswer)
  case several(AddedList)

  package static let schema = Schema.named(
    "Added",
    .either([RecordAnswer.schema, AddedList.schema])
  )

  package var json: JSON {
    switch self {
    case .one(let answer): answer.json
    case .several(let answer): answer.json
    }
  }

  package var bytes: [UInt8] {
    switch self {
    case .one(let answer): answer.bytes
    case .several(let answer): answer.bytes
    }
  }
}

/// Colors that were added together, in their order.
package struct AddedList: ObjectAnswer {
  let colors: [RecordAnswer]

  package static let fields: [Field<Self>] = [Field("colors") { $0.colors }]
}

extension Command {
  /// Adds the colors of the argument `colors` as one action.
  static let addition = EditPlan<AddedColors>(
    isLong: { subject in
      let (call, count) = (subject.call, subject.palette.count)
      guard call.parameters.isGiven("colors") else { return false }
      // A position needs the list.
      return try call.parameters.documents("colors").count > EditSubject.shortEdits
        || count > 5 * EditSubject.shortColors && Position(call.parameters) != nil
    },
    plan: { subject in
      let (call, store, palette) = (subject.call, subject.store, subject.palette)
      let colors = try call.parameters.namedColors("colors")
      let position = try Position(call.parameters)
      try Limit.checkColors(palette.count + colors.count)
      try store.checkAreNew(colors.map(\.id), in: palette.id)
      let records = colors.map(\.id)
      guard let position else {
        return .init(action: LongAction(appending: colors), records: records)
      }
      let list = try store.colors(of: palette.id)
      let index = try position.indexForInserting(into: list)
      let old = list.map(\.color)
      let diff = try PaletteDiff(from: old, to: old[..<index] + colors + old[index...])
      return .init(action: LongAction(diff, on: list), records: records)
    },
    answer: { subject, planned in
      .several(try subject.added(planned.records))
    }
  )
}

extension EditSubject {
  /// New colors as they are now, in the order in which they were added; what is gone already is left out.
  fileprivate func added(_ records: [RecordID]) throws -> AddedList {
    let listed = try records.filter { try store.isListed($0, in: palette.id) }
    guard listed.count > Self.shortEdits else {
      return AddedList(colors: try listed.map { try store.answer(about: $0, in: palette.id) })
    }
    var indexes: [RecordID: Int] = [:]
    for (index, color) in try store.colors(of: palette.id).enumerated() {
      indexes[color.color.id] = index
    }
    return AddedList(
      colors: try listed.compactMap { id in
        try indexes[id].map { try store.answer(about: id, in: palette.id, index: $0) }
      }
    )
  }
}

extension ChangeStore {
  /// Refuses ids of new colors that the palette knows already.
  func checkAreNew(_ ids: [RecordID], in palette: PaletteID) throws {
    var isTaken: Set<RecordID> = []
    for id in ids {
      guard isTaken.insert(id).inserted, try liveValues(of: id, in: palette).isEmpty else {
        throw APIError(code: "bad-value", message: "there is a color with the id \(id) already")
      }
    }
  }
}

extension Parameters {
  /// An argument that is a list of new colors: each a value, with or without a name, a note and an id of the caller's
  /// choice.
  fileprivate func namedColors(_ key: String) throws(APIError) -> [NamedColor] {
    let elements = try documents(key)
    guard !elements.isEmpty else {
      throw APIError(code: "bad-usage", message: "the argument '\(key)' holds no colors")
    }
    var random = BufferedRandom()
    return try elements.map { element throws(APIError) in
      let entry = Parameters(element)
      let color = try entry.color("value")
      let name = try entry.optionalName("name") ?? color.hex
      let note = try entry.optionalNote("note") ?? ""
      let id = try entry.optionalID("id") ?? RecordID(using: &random)
      return NamedColor(id: id, name: name, color: color, note: note)
    }
  }
}

extension Received where Form == AddedColors {
  /// One color, or those that were added together.
  package var records: [Received<RecordAnswer>] {
    let record = Received<RecordAnswer>(json)
    return !record.isColor && has("colors") ? parts("colors") : [record]
  }
}
