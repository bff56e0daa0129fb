import CSQLite
import PaletteStore
import Synchronization

/// SQLite's default file system, which hands the files of simulated disks to those.
///
/// It passes everything through to SQLite's own, and keeps account of what was synced; locks and
/// shared memory are the process's own, because a library here has one process.
enum SimulatedFileSystem {
  /// The disks by the path of their folder, each as the address of its object.
  ///
  /// A disk is used by the thread that made it alone; only this table is shared.
  private static let disks = Mutex<[String: UInt]>([:])

  static func register(_ disk: SimulatedDisk) {
    _ = name
    let address = UInt(bitPattern: Unmanaged.passUnretained(disk).toOpaque())
    disks.withLock { $0[disk.path] = address }
  }

  static func unregister(_ path: String) { disks.withLock { $0[path] = nil } }

  /// The disk that a file lies on.
  static func disk(of path: String) -> SimulatedDisk? {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let address = disks.withLock { $0[String(path[..<end])] }
    return address.flatMap { UnsafeRawPointer(bitPattern: $0) }.map {
      Unmanaged<SimulatedDisk>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Registers the file system once; SQLite keeps it for the life of the process.
  private static let name = original?.register(as: "hued-simulated", isDefault: true) { copy in
    copy.xOpen = { _, name, file, flags, outFlags in
      SimulatedFileSystem.open(name, file, flags, outFlags)
    }
    copy.xDelete = { _, name, syncs in SimulatedFileSystem.delete(name, syncs) }
  }

  /// SQLite's own file system.
  private static var original: UnsafeMutablePointer<sqlite3_vfs>? { sqlite3_vfs_find("unix") }

  private static func open(
    _ name: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let original, let file else { return SQLITE_CANTOPEN }
    guard let name, let disk = disk(of: String(cString: name)) else {
      return original.pointee.xOpen(original, name, file, flags, outFlags)
    }
    guard !disk.isDown else { return SQLITE_IOERR }
    return LayeredFile.open(name, of: original, as: file, flags, outFlags) {
      OpenFile(disk, String(cString: name), $0)
    }
  }

  private static func delete(_ name: UnsafePointer<CChar>?, _ syncs: Int32) -> Int32 {
    guard let original else { return IOFailure.delete }
    if let name, let disk = disk(of: String(cString: name)) {
      if disk.isDown { return IOFailure.delete }
      disk.delete(String(cString: name))
    }
    return original.pointee.xDelete(original, name, 0)
  }
}
