internal import Glibc
internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// The commands that look after the library's file.
enum CareVerbs {
  /// `backup FILE`: a copy of the library; a file that is there is replaced.
  static func backup(_ call: LibraryCall) throws -> [UInt8] {
    let file = try call.parameters.text("file")
    guard let store = try call.library.reading() else {
      throw APIError(
        code: "not-found",
        message: "there is no library at '\(call.library.location.home)'"
      )
    }
    let summary = try store.backup(to: file)
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("file", file)
    writer.member("bytes", summary.bytes)
    writer.member("pages", summary.pages)
    try writer.counts(of: store)
    writer.endObject()
    return writer.bytes
  }

  /// `recover FILE`: the library as a backup has it, as a new node.
  static func recover(_ call: LibraryCall) throws -> [UInt8] {
    let file = try call.parameters.text("file")
    guard access(file, F_OK) == 0 || errno != ENOENT else {
      throw APIError(code: "not-found", message: "there is no backup '\(file)'")
    }
    let folder = try LibraryFolder(call.library.location.home)
    let digits = call.library.now.description.utf8.filter { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    let summary = try ChangeStore.recover(
      folder,
      from: file,
      timestamp: String(decoding: digits, as: UTF8.self)
    )
    let store = try call.library.creating()
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("file", file)
    writer.member("bytes", summary.backup.bytes)
    writer.member("pages", summary.backup.pages)
    try writer.counts(of: store)
    writer.member("node", store.node.description)
    writer.member("kept", summary.keptAs)
    writer.endObject()
    return writer.bytes
  }

  /// `compact`: forgets history that nothing depends on; 30 days of it stay unless said otherwise.
  static func compact(_ call: LibraryCall) throws -> [UInt8] {
    let now = call.library.now
    let horizon =
      try call.parameters.optionalMoment("before", now: now)
      ?? now.advanced(by: .seconds(-30 * 86_400))
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("before", horizon.description)
    var total = CompactionSummary()
    var sizes = (before: 0, after: 0)
    writer.key("palettes")
    writer.beginArray()
    if let store = try call.library.editing() {
      for palette in try store.palettes() {
        let summary = try store.compact(palette.id, beforeMilliseconds: horizon.milliseconds)
        writer.compacted(palette, summary)
        total.add(summary)
      }
      try store.recountWritten()
      sizes = try store.tidy()
    }
    writer.endArray()
    writer.member("changes", total.changes)
    writer.member("removed", total.removed)
    writer.member("removedBytes", total.removedBytes)
    writer.member("bytesBefore", sizes.before)
    writer.member("bytesAfter", sizes.after)
    writer.endObject()
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes how many palettes and colors there are.
  fileprivate mutating func counts(of store: ChangeStore) throws {
    let totals = try store.totals()
    member("palettes", totals.palettes)
    member("colors", totals.colors)
  }

  fileprivate mutating func compacted(_ palette: PaletteSummary, _ summary: CompactionSummary) {
    beginObject()
    member("id", palette.id.description)
    member("name", palette.name)
    member("changes", summary.changes)
    member("removed", summary.removed)
    member("removedBytes", summary.removedBytes)
    endObject()
  }
}
