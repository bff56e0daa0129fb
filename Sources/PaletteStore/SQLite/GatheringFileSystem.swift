import CSQLite
import PalettePlatform

/// SQLite's own file system, but what it writes to a write-ahead log goes to the file in few pieces.
///
/// A transaction is in the file before SQLite syncs it or tells other connections of it, as it would
/// be without this. All other files are SQLite's own.
enum GatheringFileSystem {
  /// The name to open a database with; nil when SQLite has no file system to build on.
  static let name = base?.register(as: "hued-gathering") { copy in
    copy.xOpen = { _, name, file, flags, outFlags in
      guard let base = GatheringFileSystem.base, let file else { return SQLITE_CANTOPEN }
      guard flags & SQLITE_OPEN_WAL != 0 else {
        return base.pointee.xOpen(base, name, file, flags, outFlags)
      }
      return LayeredFile.open(name, of: base, as: file, flags, outFlags) {
        OpenLog($0, path: name)
      }
    }
    copy.xDelete = { _, name, syncs in
      guard let base = GatheringFileSystem.base else { return SQLITE_ERROR }
      return base.pointee.xDelete(base, name, syncs)
    }
  }

  /// The default file system, which may be another one later than when the process began.
  private static var base: UnsafeMutablePointer<sqlite3_vfs>? { sqlite3_vfs_find(nil) }
}

/// An open write-ahead log.
///
/// What waits when it is closed belongs to a transaction that was given up.
private final class OpenLog: FileLayer {
  let real: UnsafeMutablePointer<sqlite3_file>
  private var waiting = GatheredWrites()
  /// The work for which the next sync of the log leaves time.
  private var meanwhile: (() -> Void)?
  /// The path of the file, for opening it once more: SQLite keeps its descriptor to itself.
  private let path: UnsafePointer<CChar>?
  /// The place from which the disk is told to begin: nil before that, -1 if the file is none of the
  /// system's.
  ///
  /// SQLite locks other files only, so that closing this one frees none of its locks.
  private var descriptor: CInt?

  init(_ real: UnsafeMutablePointer<sqlite3_file>, path: UnsafePointer<CChar>?) {
    self.real = real
    self.path = path
  }

  deinit {
    if let descriptor, descriptor >= 0 { close(descriptor) }
  }

  func write(_ piece: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    switch waiting.append(piece, at: offset) {
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

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    let code = waiting.holds(offset..<offset + buffer.count) ? flush() : SQLITE_OK
    guard code == SQLITE_OK else { return code }
    return methods.xRead(real, buffer.baseAddress, Int32(buffer.count), Int64(offset))
  }

  func truncate(to size: Int) -> Int32 {
    flushed {
      waiting.continues(at: nil)
      return methods.xTruncate(real, Int64(size))
    }
  }

  func synchronize(_ flags: Int32) -> Int32 {
    flushed {
      if let meanwhile {
        self.meanwhile = nil
        beginWriting()
        meanwhile()
      }
      return methods.xSync(real, flags)
    }
  }

  /// Tells the disk to begin with what was written.
  private func beginWriting() {
    let file = descriptor ?? path.map { open($0, O_RDWR | O_CLOEXEC) } ?? -1
    descriptor = file
    if file >= 0 { csqlite_begin_writing(file) }
  }

  func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard operation == LogControl.meanwhile else {
      return methods.xFileControl(real, operation, argument)
    }
    meanwhile = argument?.assumingMemoryBound(to: (() -> Void).self).pointee
    return SQLITE_OK
  }

  func measure(_ size: UnsafeMutablePointer<sqlite3_int64>?) -> Int32 {
    flushed { methods.xFileSize(real, size) }
  }

  /// Does something to the file after all that waits was written.
  private func flushed(_ body: () -> Int32) -> Int32 {
    let code = flush()
    return code == SQLITE_OK ? body() : code
  }

  /// Writes what waits; its transaction is over if that fails.
  private func flush() -> Int32 {
    guard !waiting.bytes.isEmpty else { return SQLITE_OK }
    let start = Int64(waiting.start)
    let code = waiting.bytes.withUnsafeBytes {
      methods.xWrite(real, $0.baseAddress, Int32($0.count), start)
    }
    if code == SQLITE_OK { waiting.removeAll() } else { waiting.lose() }
    return code
  }
}

/// The numbers of `sqlite3_file_control` that the layer before a log understands; SQLite leaves
/// them alone.
enum LogControl {
  /// Sets what is done while the next sync goes on: a closure, or nil for nothing.
  static let meanwhile: Int32 = 0x6875_6564
}
