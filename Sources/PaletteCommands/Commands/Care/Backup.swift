internal import Glibc
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let backup = Command(
    "backup",
    .care,
    .alone,
    summary: "Writes a copy of the library to a file",
    details: ["Replacing a file asks first on a terminal and needs --yes elsewhere."],
    positionals: [Positional("FILE", "the file to write", content: .path)],
    examples: [.init("hued backup ~/hued.backup", "keep a copy of all palettes")],
    question: .replacing("file")
  ) { call in
    let file = try call.parameters.text("file")
    guard let store = try call.library.reading() else {
      throw APIError(
        code: "not-found",
        message: "there is no library at '\(call.library.location.home)'"
      )
    }
    let summary: BackupSummary
    // From here on whoever interrupts it waits until nothing is left of it.
    try call.library.report(Progress("Backing up"))
    do {
      summary = try store.backup(to: file) { done, total throws(StoreError) in
        try call.library.report(inStore: Progress("Backing up", .pages, done: done, of: total))
      }
    } catch let error as StoreError where error.code == .interrupted {
      throw APIError.interrupted("no backup was written, and what was there before is as it was")
    } catch let error as StoreError where !Self.isFolder(of: file) {
      throw APIError(
        code: APIError(error).code,
        message: "there is no folder for the backup: \(Self.folder(of: file))",
        hint: "make the folder first; whoever has the library open writes the file"
      )
    }
    return BackupAnswer(file: file, backup: summary, totals: try store.totals())
  }
}

extension Command {
  /// The folder of a file, by its path alone.
  fileprivate static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  fileprivate static func isFolder(of path: String) -> Bool {
    var status = stat()
    return stat(folder(of: path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// What a backup holds.
private struct BackupAnswer: ObjectAnswer {
  let file: String
  let backup: BackupSummary
  let totals: LibraryTotals

  static let fields: [Field<Self>] = [
    Field("file") { $0.file }, Field("bytes") { $0.backup.bytes },
    Field("pages") { $0.backup.pages }, Field("palettes") { $0.totals.palettes },
    Field("colors") { $0.totals.colors },
  ]
}
