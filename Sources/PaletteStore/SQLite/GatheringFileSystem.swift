import CSQLite
import Glibc

/// SQLite's own file system, but what it writes to a write-ahead log goes to the file in few pieces.
///
/// A transaction is in the file before SQLite syncs it or tells other connections of it, as it would
/// be without this. All other files are SQLite's own.
enum GatheringFileSystem {
  /// The name to open a database with; nil when SQLite has no file system to build on.
  static let name: String? = {
    guard let base else { return nil }
    // SQLite keeps both for the life of the process.
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: base.pointee)
    copy.pointee.pNext = nil
    copy.pointee.zName = UnsafePointer(strdup("hued-gathering"))
    copy.pointee.szOsFile = max(base.pointee.szOsFile, Int32(MemoryLayout<OpenLog>.stride))
    copy.pointee.xOpen = { _, name, file, flags, outFlags in
      GatheringFileSystem.open(name, file, flags, outFlags)
    }
    copy.pointee.xDelete = { _, name, syncs in
      guard let base = GatheringFileSystem.base else { return SQLITE_ERROR }
      return base.pointee.xDelete(base, name, syncs)
    }
    return sqlite3_vfs_register(copy, 0) == SQLITE_OK ? "hued-gathering" : nil
  }()

  /// The default file system, which may be another one later than when the process began.
  private static var base: UnsafeMutablePointer<sqlite3_vfs>? { sqlite3_vfs_find(nil) }

  private static func open(
    _ name: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let base, let file else { return SQLITE_CANTOPEN }
    guard flags & SQLITE_OPEN_WAL != 0 else {
      return base.pointee.xOpen(base, name, file, flags, outFlags)
    }
    let size = Int(base.pointee.szOsFile)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memset(memory, 0, size)
    let real = memory.assumingMemoryBound(to: sqlite3_file.self)
    let code = base.pointee.xOpen(base, name, real, flags, outFlags)
    guard code == SQLITE_OK else {
      memory.deallocate()
      return code
    }
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenLog.self).initialize(
      to: OpenLog(
        base: sqlite3_file(pMethods: UnsafePointer(OpenLog.methods)),
        state: Unmanaged.passRetained(OpenLogState(real))
      )
    )
    return SQLITE_OK
  }
}

/// What SQLite holds of an open write-ahead log: its `sqlite3_file`, and ours behind it.
private struct OpenLog {
  var base: sqlite3_file
  var state: Unmanaged<OpenLogState>
}

/// An open write-ahead log, used by the thread of its connection.
private final class OpenLogState {
  let real: UnsafeMutablePointer<sqlite3_file>
  private var waiting = GatheredWrites()

  init(_ real: UnsafeMutablePointer<sqlite3_file>) {
    self.real = real
  }

  deinit { UnsafeMutableRawPointer(real).deallocate() }

  var methods: sqlite3_io_methods { real.pointee.pMethods.pointee }

  func write(_ piece: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    switch waiting.take(piece, at: offset) {
    case .waits: return SQLITE_OK
    case .completes: return flush()
    case .isLost: return SQLITE_IOERR
    case .standsAlone:
      let code = flush()
      guard code == SQLITE_OK else { return code }
      let written = methods.xWrite(real, piece.baseAddress, Int32(piece.count), Int64(offset))
      waiting.continues(at: written == SQLITE_OK ? offset + piece.count : nil)
      return written
    }
  }

  func read(into buffer: UnsafeMutableRawPointer?, _ count: Int32, at offset: Int64) -> Int32 {
    let asked = Int(offset)..<Int(offset) + Int(count)
    let code = waiting.holds(asked) ? flush() : SQLITE_OK
    return code == SQLITE_OK ? methods.xRead(real, buffer, count, offset) : code
  }

  /// Writes what waits; its transaction is over if that fails.
  func flush() -> Int32 {
    guard !waiting.bytes.isEmpty else { return SQLITE_OK }
    let start = Int64(waiting.start)
    let code = waiting.bytes.withUnsafeBytes {
      methods.xWrite(real, $0.baseAddress, Int32($0.count), start)
    }
    if code == SQLITE_OK { waiting.removeAll() } else { waiting.lose() }
    return code
  }

  func truncate(to size: Int64) -> Int32 {
    let code = flush()
    guard code == SQLITE_OK else { return code }
    waiting.continues(at: nil)
    return methods.xTruncate(real, size)
  }

  /// Runs a method of the file after all that waits was written.
  func flushed(_ body: (sqlite3_io_methods) -> Int32) -> Int32 {
    let code = flush()
    return code == SQLITE_OK ? body(methods) : code
  }
}

extension OpenLog {
  private static func state(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OpenLogState? {
    guard let file else { return nil }
    return UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenLog.self).pointee.state
      .takeUnretainedValue()
  }

  /// The methods of every open log, made once and never altered.
  ///
  /// SQLite asks a log for no locks and no shared memory.
  nonisolated(unsafe) fileprivate static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 1
    methods.pointee.xClose = { file in
      guard let file else { return SQLITE_OK }
      let opened = UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenLog.self)
      opened.pointee.base.pMethods = nil
      // What waits here belongs to a transaction that was given up.
      let state = opened.pointee.state.takeRetainedValue()
      return state.methods.xClose(state.real)
    }
    methods.pointee.xRead = { file, buffer, count, offset in
      OpenLog.state(file)?.read(into: buffer, count, at: offset) ?? SQLITE_ERROR
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
      OpenLog.state(file)?
        .write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: Int(offset))
        ?? SQLITE_ERROR
    }
    methods.pointee.xTruncate = { file, size in
      OpenLog.state(file)?.truncate(to: size) ?? SQLITE_ERROR
    }
    methods.pointee.xSync = { file, flags in
      guard let state = OpenLog.state(file) else { return SQLITE_ERROR }
      return state.flushed { $0.xSync(state.real, flags) }
    }
    methods.pointee.xFileSize = { file, size in
      guard let state = OpenLog.state(file) else { return SQLITE_ERROR }
      return state.flushed { $0.xFileSize(state.real, size) }
    }
    methods.pointee.xLock = { _, _ in SQLITE_OK }
    methods.pointee.xUnlock = { _, _ in SQLITE_OK }
    methods.pointee.xCheckReservedLock = { _, isReserved in
      isReserved?.pointee = 0
      return SQLITE_OK
    }
    methods.pointee.xFileControl = { file, operation, argument in
      guard let state = OpenLog.state(file) else { return SQLITE_ERROR }
      return state.methods.xFileControl(state.real, operation, argument)
    }
    methods.pointee.xSectorSize = { file in
      guard let state = OpenLog.state(file) else { return 4096 }
      return state.methods.xSectorSize(state.real)
    }
    methods.pointee.xDeviceCharacteristics = { file in
      guard let state = OpenLog.state(file) else { return 0 }
      return state.methods.xDeviceCharacteristics(state.real)
    }
    return methods
  }()
}
