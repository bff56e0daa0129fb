internal import PaletteMerge
internal import PalettePlatform
internal import PaletteStore

extension Command {
  package static let doctor = Command(
    "doctor",
    .care,
    .alone,
    view: .health,
    summary: "Checks the library and the machine",
    details: [
      "The exit code is 7 when a check failed. It looks at what takes a moment, however large the library "
        + "is; what it did not look at, each check says.",
      "With --full every page is read and every digest made again, by this process, also while a node runs.",
    ],
    flags: [Flag("full", nil, "look at everything, however long it takes")],
    examples: [
      .init("hued doctor", "see whether all is well"),
      .init("hued doctor --full", "read every page, and compare every palette with its changes"),
    ],
    otherNames: ["check", "fsck", "verify"],
    hasResult: true
  ) { call in
    let location = call.library.location
    let folder = try LibraryFolder(location.home)
    var report = HealthReport()
    try report.check("folder", fine: Doctor.folderDetail(folder)) { Doctor.folderProblems(folder) }
    try report.check("settings", fine: location.configurationFile) {
      _ = try Configuration(readingFrom: location.configurationFile)
      return []
    }
    var store: ChangeStore?
    try report.check("library", fine: Doctor.libraryDetail(folder)) {
      store = try call.library.reading()
      try store?.checkUsability()
      return try Doctor.placeProblems(folder)
    }
    let writer = try? folder.writer()
    report.add("lock", true, writer.map { "\($0) has the library open for writing" } ?? "free")
    if let store {
      let isFull = call.parameters.isSet("full")
      try Doctor.checkContents(of: store, isFull: isFull, &report, call.library)
    }
    try report.check("clock", fine: call.library.now.description) {
      try Doctor.clockProblems(call.library.now, store)
    }
    Doctor.checkSpace(folder, &report)
    return report
  }
  .with(\.isPaged)
  .with(\.work, "Checking")
  .with(\.worksWithoutSettings)
  .failing(HealthReport.failure(in:))
  .with(\.checkingFlags, ["full"])
}

/// The checks that need more than a line.
private enum Doctor {
  /// The least free space that is no reason to worry, in bytes.
  private static let spaceBytes = 32 << 20
  /// The tolerated distance of the clock behind the last commit.
  private static let clockMilliseconds: Int64 = 300_000

  /// So many bytes are read in a moment.
  private static let readBytes = 4 << 20

  /// Looks at pages and palettes: at all of them, or at as many as take a moment.
  static func checkContents(
    of store: ChangeStore,
    isFull: Bool,
    _ report: inout HealthReport,
    _ library: any LibraryAccess
  ) throws {
    let rest = "'hued doctor --full' does"
    var isWhole = isFull
    try library.report(Progress("Checking pages"))
    try report.check(
      "integrity",
      fine: isFull
        ? "every page was read, and is whole"
        : isWhole ? "every page is whole" : "the pages were not looked at; \(rest)"
    ) {
      if let damage = library.sharing?.damage { return [damage.message] }
      if !isFull { isWhole = try store.databaseBytes() <= readBytes }
      return isWhole ? try store.integrityProblems() : []
    }
    var palettes = 0
    try report.check(
      "state",
      fine: isFull
        ? "every palette was compared with its changes, and shows what they say"
        : isWhole
          ? "what is shown is what the changes say"
          : "\(palettes) of the newest palettes show what their changes say; the others were not "
            + "looked at; \(rest)"
    ) {
      try store.read {
        let sample = isFull ? nil : try store.samplePalettes()
        isWhole = sample?.isAll ?? true
        guard let sample, !sample.isAll else { return try store.verify() }
        palettes = sample.palettes.count
        return try sample.palettes.flatMap { palette in
          try store.verify(palette).map { "\(palette): \($0)" }
        }
      }
    }
  }

  static func folderDetail(_ folder: LibraryFolder) -> String {
    access(folder.path, F_OK) == 0 ? folder.path : "\(folder.path) is not there yet"
  }

  static func libraryDetail(_ folder: LibraryFolder) -> String {
    (try? folder.exists) == true ? "format \(ChangeStore.formatVersion)" : "there is none yet"
  }

  static func placeProblems(_ folder: LibraryFolder) throws -> [String] {
    guard try !folder.exists, let writer = try folder.writer() else { return [] }
    return ["\(writer) has it open, and its file is not there any more"]
  }

  static func folderProblems(_ folder: LibraryFolder) -> [String] {
    var status = stat()
    guard stat(folder.path, &status) == 0 else {
      return errno == ENOENT ? [] : ["it cannot be looked at: \(Platform.failureReason)"]
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return ["\(folder.path) is not a folder"] }
    var problems: [String] = []
    if access(folder.path, R_OK | X_OK) != 0 { problems.append("it cannot be read") }
    if access(folder.path, W_OK) != 0 { problems.append("it cannot be written") }
    if status.st_uid != geteuid() { problems.append("it belongs to another user") }
    if status.st_mode & 0o077 != 0 {
      problems.append("others may look into it; chmod 700 '\(folder.path)' prevents that")
    }
    return problems
  }

  static func clockProblems(_ now: Moment, _ store: ChangeStore?) throws -> [String] {
    guard let earliest = Moment(iso8601: "2025-01-01"), let latest = Moment(iso8601: "2200-01-01"),
      now >= earliest, now < latest
    else { return ["it shows \(now)"] }
    guard let last = try store?.lastCommitMilliseconds(),
      now.milliseconds < last - clockMilliseconds
    else { return [] }
    return ["it shows \(now), and a palette was last changed at \(Moment(milliseconds: last))"]
  }

  static func checkSpace(_ folder: LibraryFolder, _ report: inout HealthReport) {
    var path = folder.path
    while access(path, F_OK) != 0, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      path = String(path[..<slash])
    }
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return }
    let free = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
    let bytes = free.overflow ? Int.max : free.partialValue
    report.add("space", bytes >= spaceBytes, "\(bytes >> 20) MiB free")
  }
}
