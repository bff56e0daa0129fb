internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// The commands about what was done: taking it back, doing it again, and telling it.
enum TimeVerbs {
  /// `undo PALETTE`: takes back the last action of whoever calls.
  static func undo(_ call: LibraryCall) throws -> [UInt8] {
    let (store, palette) = try call.editedPalette()
    let outcome = try store.write(as: call.author) { transaction throws(StoreError) in
      try transaction.palette(palette.id)?.undo()
    }
    return try answer(outcome ?? nil, palette.id, store)
  }

  /// `redo PALETTE`: does again what was undone last.
  static func redo(_ call: LibraryCall) throws -> [UInt8] {
    let (store, palette) = try call.editedPalette()
    let outcome = try store.write(as: call.author) { transaction throws(StoreError) in
      try transaction.palette(palette.id)?.redo()
    }
    return try answer(outcome ?? nil, palette.id, store)
  }

  /// `history PALETTE`: the changes, newest first.
  static func history(_ call: LibraryCall) throws -> [UInt8] {
    let limit = try call.parameters.optionalCount("limit")
    return try call.readingPalette { store, palette in
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("changes")
      writer.beginArray()
      var names = AuthorNames(call.library, store, in: palette.id)
      for change in try store.history(of: palette.id, limit: limit, edits: true) {
        writer.change(change, by: try names.name(of: change.dot.node))
      }
      writer.endArray()
      let since = try store.historySince(of: palette.id)
      writer.member("since", since.map { Moment(milliseconds: $0).description })
      writer.endObject()
      return writer.bytes
    }
  }

  private static func answer(
    _ outcome: UndoOutcome?,
    _ palette: PaletteID,
    _ store: ChangeStore
  ) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("changed")
    writer.beginArray()
    let changed = outcome?.changed ?? []
    let indexes = try store.indexes(of: changed, in: palette)
    for record in changed {
      if let index = indexes[record] {
        writer.document(try store.reply(about: record, in: palette, index: index).bytes)
      } else {
        writer.beginObject()
        writer.member("id", record.description)
        writer.member("removed", true)
        writer.endObject()
      }
    }
    writer.endArray()
    writer.key("skipped")
    writer.beginArray()
    for skipped in outcome?.skipped ?? [] { writer.skipped(skipped) }
    writer.endArray()
    writer.member("forgotten", outcome?.forgotten ?? 0)
    writer.endObject()
    return writer.bytes
  }
}

extension ChangeStore {
  /// Where colors stand; those that are not listed are left out.
  fileprivate func indexes(
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

extension JSONWriter {
  /// Writes what undo or redo left alone, and why.
  fileprivate mutating func skipped(_ skipped: UndoOutcome.Skipped) {
    beginObject()
    member("id", skipped.record.description)
    member("register", skipped.register?.description)
    member(
      "reason",
      skipped.register == nil
        ? "the color was edited or removed elsewhere since"
        : "another value was written since"
    )
    endObject()
  }

  /// Writes a change as `history` shows it.
  fileprivate mutating func change(_ change: Change, by author: String?) {
    beginObject()
    member("dot", change.dot.description)
    member("stamp", change.stamp.description)
    member("time", Moment(milliseconds: change.stamp.milliseconds).description)
    member("node", change.dot.node.description)
    member("author", author)
    member("kind", change.kind.word)
    member("id", change.record.description)
    key("registers")
    beginObject()
    for write in change.writes {
      member(write.register.description, write.value.text(of: write.register))
    }
    endObject()
    endObject()
  }
}
