internal import PaletteMerge
internal import PaletteModel
internal import PalettePlatform
internal import PaletteStore

extension Command {
  package static let backup = Command(
    "backup",
    .care,
    .alone,
    view: .backup,
    summary: "Writes a copy of the library to a file",
    details: [
      "Replacing a file asks first on a terminal and needs --yes elsewhere.",
      "With --verify nothing is written: a backup is opened for reading, its pages are read, and its digests "
        + "and counts are made again from its changes. The exit code is 7 when it is not sound.",
      "With --drill that is followed by a recovery into a folder of its own, in $TMPDIR or /tmp, which "
        + "needs as much room as the backup and goes afterwards: the digest has to be the same there, "
        + "and an edit has to be taken. Your library is not touched.",
    ],
    positionals: [Positional("FILE", "the file to write", content: .path)],
    flags: [
      Flag("verify", nil, "check the backup in FILE instead of writing one"),
      Flag("drill", nil, "check the backup in FILE, and recover it for trial"),
    ],
    examples: [
      .init("hued backup ~/hued.backup", "keep a copy of all palettes"),
      .init("hued backup --verify ~/hued.backup", "see whether a copy is sound"),
      .init("hued backup --drill ~/hued.backup", "see whether a copy brings everything back"),
    ],
    question: .replacing("file")
  ) { call in
    let file = try call.parameters.text("file")
    let isDrill = call.parameters.isSet("drill")
    if isDrill || call.parameters.isSet("verify") {
      return try BackupAnswer(verifying: file, drillFor: isDrill ? call.library : nil)
    }
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
    return BackupAnswer(
      file: file,
      bytes: summary.bytes,
      pages: summary.pages,
      totals: try store.totals()
    )
  }.notInFleets("'hued-fleet export NAME HOME' carries the library to a home")
    .with(\.work, "Backing up")
    .failing(HealthReport.failure(in:))
    .with(\.checkingFlags, ["verify", "drill"])
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

/// The contents of a backup.
package struct BackupAnswer: ObjectAnswer {
  let file: String
  let bytes: Int
  /// The pages that were copied.
  var pages: Int?
  let totals: LibraryTotals?
  /// The findings of the check; nil for a backup that was written now.
  var report: HealthReport?

  package static let fields: [Field<Self>] = [
    Field(whereKnown: "ok", "whether the backup that was checked is sound") { $0.report?.isFine },
    Field(whereKnown: "checks", "what was checked") { $0.report?.checks },
    Field("file") { $0.file }, Field("bytes") { $0.bytes },
    Field(whereKnown: "pages", "the pages that were copied") { $0.pages },
    Field(whereKnown: "palettes", "the palettes in it") { $0.totals?.palettes },
    Field(whereKnown: "colors", "the colors in them") { $0.totals?.colors },
  ]
}

extension BackupAnswer {
  /// Checks a backup from its first to its last byte.
  ///
  /// - Parameters:
  ///   - file: The path of the backup.
  ///   - library: The receiver of a trial recovery's progress; nil where none is asked for.
  /// - Throws: `APIError` where there is no such file, and where the check is interrupted.
  init(verifying file: String, drillFor library: (any LibraryAccess)?) throws {
    var status = stat()
    guard stat(file, &status) == 0 else {
      let reason = Platform.failureReason
      throw APIError(code: "not-found", message: "there is no backup '\(file)': \(reason)")
    }
    var report = HealthReport()
    var opened: (store: ChangeStore, version: Int)?
    let isOpen = try report.check("file", fine: "a library of format \(opened?.version ?? 0)") {
      opened = try ChangeStore.reading(backup: file)
      return []
    }
    var totals: LibraryTotals?
    var digest: Digest?
    if isOpen, let (store, version) = opened {
      let isWhole = try report.check("integrity", fine: "every page is whole") {
        try store.pageProblems()
      }
      if version < ChangeStore.formatVersion {
        let detail =
          "not looked at: 'hued recover' brings format \(version) to \(ChangeStore.formatVersion)"
        report.add("state", true, detail)
      } else if isWhole {
        try report.check("state", fine: "digests and counts are what the changes say") {
          try store.read { try store.verify() }
        }
        totals = try store.totals()
        digest = try store.digest()
      }
    }
    if let library, report.isFine {
      try report.drill(file, digest, library)
    }
    self.init(file: file, bytes: Int(status.st_size), totals: totals, report: report)
  }
}

extension HealthReport {
  /// Recovers a backup for trial, and compares what comes of it.
  ///
  /// - Parameters:
  ///   - file: The path of the backup.
  ///   - digest: The digest of the library in it; nil where its format is an older one.
  ///   - library: The receiver of the recovery's progress.
  /// - Throws: `APIError` when it is interrupted.
  fileprivate mutating func drill(_ file: String, _ digest: Digest?, _ library: any LibraryAccess)
    throws
  {
    try library.report(Progress("Recovering for trial"))
    var recovered: LibraryTotals?
    try check("recovery", fine: Self.recovered(recovered, isCompared: digest != nil)) {
      let drill = try RecoveryDrill(of: file) { done, total throws(StoreError) in
        try library.report(inStore: Progress("Recovering for trial", .pages, done: done, of: total))
      }
      recovered = drill.totals
      var problems = try drill.problems()
      if let digest, drill.digest != digest {
        problems.insert("the recovered library has another digest than the backup", at: 0)
      }
      return problems
    }
  }

  private static func recovered(_ totals: LibraryTotals?, isCompared: Bool) -> String {
    let (palettes, colors) = (totals?.palettes ?? 0, totals?.colors ?? 0)
    return "recovered for trial: \(palettes) \(palettes == 1 ? "palette" : "palettes")"
      + " with \(colors) \(colors == 1 ? "color" : "colors")"
      + (isCompared ? ", the digest is the same" : "") + ", and an edit was taken"
  }
}

extension Received where Form == BackupAnswer {
  /// The findings of a check; nil for a backup that was written now.
  package var report: Received<HealthReport>? {
    has("checks") ? Received<HealthReport>(json) : nil
  }
  package var file: String { text("file") }
  package var bytes: Int { integer("bytes") ?? 0 }
  package var palettes: Int { integer("palettes") ?? 0 }
  package var colors: Int { integer("colors") ?? 0 }
}
