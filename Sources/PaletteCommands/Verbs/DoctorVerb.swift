internal import Glibc
internal import PaletteModel
internal import PaletteStore

/// `doctor`: checks the library and what surrounds it; writes nothing.
enum DoctorVerb {
  /// The least free space that is no reason to worry, in bytes.
  private static let spaceBytes = 32 << 20
  /// How far the clock may be behind the last commit.
  private static let clockMilliseconds: Int64 = 300_000

  /// Makes every check that can still be made.
  static func doctor(_ call: LibraryCall) throws -> [UInt8] {
    let location = call.library.location
    let folder = try LibraryFolder(location.home)
    var checkup = Checkup()
    try checkup.check("folder", fine: folderDetail(folder)) { folderProblems(folder) }
    try checkup.check("settings", fine: location.configurationFile) {
      _ = try Configuration(readingFrom: location.configurationFile)
      return []
    }
    var store: ChangeStore?
    try checkup.check("library", fine: libraryDetail(folder)) {
      store = try call.library.reading()
      return []
    }
    let writer = try? folder.writer()
    checkup.note("lock", true, writer.map { "\($0) has the library open for writing" } ?? "free")
    if let store { try checkContents(of: store, &checkup) }
    try checkup.check("clock", fine: call.library.now.description) {
      try clockProblems(call.library.now, store)
    }
    checkSpace(folder, &checkup)
    return checkup.document
  }

  private static func checkContents(of store: ChangeStore, _ checkup: inout Checkup) throws {
    try checkup.check("integrity", fine: "every page is whole") { try store.integrityProblems() }
    try checkup.check("state", fine: "what is shown is what the changes say") {
      try store.read {
        try store.palettes().flatMap { palette in
          try store.verify(palette.id).map { "\(palette.name): \($0)" }
        }
      }
    }
  }

  private static func folderDetail(_ folder: LibraryFolder) -> String {
    access(folder.path, F_OK) == 0 ? folder.path : "\(folder.path) is not there yet"
  }

  private static func libraryDetail(_ folder: LibraryFolder) -> String {
    (try? folder.exists) == true ? "format \(ChangeStore.formatVersion)" : "there is none yet"
  }

  private static func folderProblems(_ folder: LibraryFolder) -> [String] {
    var status = stat()
    guard stat(folder.path, &status) == 0 else {
      return errno == ENOENT ? [] : ["it cannot be looked at: \(String(cString: strerror(errno)))"]
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

  private static func clockProblems(_ now: Moment, _ store: ChangeStore?) throws -> [String] {
    guard let earliest = Moment(iso8601: "2025-01-01"), let latest = Moment(iso8601: "2200-01-01"),
      now >= earliest, now < latest
    else { return ["it shows \(now)"] }
    guard let last = try store?.lastCommitMilliseconds(),
      now.milliseconds < last - clockMilliseconds
    else { return [] }
    return ["it shows \(now), and the last commit was at \(Moment(milliseconds: last))"]
  }

  private static func checkSpace(_ folder: LibraryFolder, _ checkup: inout Checkup) {
    var path = folder.path
    while access(path, F_OK) != 0, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      path = String(path[..<slash])
    }
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return }
    let free = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
    let bytes = free.overflow ? Int.max : free.partialValue
    checkup.note("space", bytes >= spaceBytes, "\(bytes >> 20) MiB free")
  }
}
