package import CSQLite
import PalettePlatform

/// An open file with a layer, as SQLite holds it: its `sqlite3_file`, and ours behind it.
package struct LayeredFile {
  private let base: sqlite3_file
  private let layer: any FileLayer

  /// Opens a file of a file system, and puts a layer before it.
  ///
  /// - Parameters:
  ///   - name: The path.
  ///   - fileSystem: The file system behind.
  ///   - file: The memory that SQLite has for the layered file.
  ///   - flags: Those of `xOpen`.
  ///   - outFlags: Those of `xOpen`.
  ///   - layer: Makes the layer before the open file.
  /// - Returns: SQLite's code.
  package static func open(
    _ name: UnsafePointer<CChar>?,
    of fileSystem: UnsafeMutablePointer<sqlite3_vfs>,
    as file: UnsafeMutablePointer<sqlite3_file>,
    _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?,
    layer: (UnsafeMutablePointer<sqlite3_file>) -> any FileLayer
  ) -> Int32 {
    let size = Int(fileSystem.pointee.szOsFile)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memset(memory, 0, size)
    let real = memory.assumingMemoryBound(to: sqlite3_file.self)
    let code = fileSystem.pointee.xOpen(fileSystem, name, real, flags, outFlags)
    guard code == SQLITE_OK else {
      memory.deallocate()
      return code
    }
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: LayeredFile.self).initialize(
      to: LayeredFile(base: sqlite3_file(pMethods: UnsafePointer(methods)), layer: layer(real))
    )
    return SQLITE_OK
  }

  private static func at(
    _ file: UnsafeMutablePointer<sqlite3_file>?
  ) -> UnsafeMutablePointer<LayeredFile> {
    guard let file else { preconditionFailure("SQLite names the file that it calls") }
    return UnsafeMutableRawPointer(file).assumingMemoryBound(to: LayeredFile.self)
  }

  private static func layer(_ file: UnsafeMutablePointer<sqlite3_file>?) -> any FileLayer {
    at(file).pointee.layer
  }

  /// The methods of every layered file, made once.
  ///
  /// `nonisolated(unsafe)` holds because the table is written only here, before the one-time
  /// initialization of a global lets any thread see it, is never freed, and SQLite takes it as
  /// constant; what the methods work on they find in the file that they are called with.
  nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 2
    methods.pointee.xClose = { file in
      let layer = LayeredFile.at(file).move().layer
      let code = layer.methods.xClose(layer.real)
      UnsafeMutableRawPointer(layer.real).deallocate()
      return code
    }
    methods.pointee.xRead = { file, buffer, count, offset in
      let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
      return LayeredFile.layer(file).read(into: buffer, at: Int(offset))
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
      let piece = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      return LayeredFile.layer(file).write(piece, at: Int(offset))
    }
    methods.pointee.xTruncate = { LayeredFile.layer($0).truncate(to: Int($1)) }
    methods.pointee.xSync = { LayeredFile.layer($0).synchronize($1) }
    methods.pointee.xFileSize = { LayeredFile.layer($0).measure($1) }
    methods.pointee.xLock = { _, _ in SQLITE_OK }
    methods.pointee.xUnlock = { _, _ in SQLITE_OK }
    methods.pointee.xCheckReservedLock = { _, isReserved in
      isReserved?.pointee = 0
      return SQLITE_OK
    }
    methods.pointee.xFileControl = { LayeredFile.layer($0).control($1, $2) }
    methods.pointee.xSectorSize = { LayeredFile.layer($0).sectorBytes }
    methods.pointee.xDeviceCharacteristics = { LayeredFile.layer($0).characteristics }
    methods.pointee.xShmMap = { file, region, bytes, extends, result in
      result?.pointee = LayeredFile.layer(file)
        .map(Int(region), Int(bytes), extends: extends != 0)
      return SQLITE_OK
    }
    methods.pointee.xShmLock = { _, _, _, _ in SQLITE_OK }
    methods.pointee.xShmBarrier = { _ in }
    methods.pointee.xShmUnmap = { file, _ in
      LayeredFile.layer(file).unmap()
      return SQLITE_OK
    }
    return methods
  }()
}

extension UnsafeMutablePointer<sqlite3_vfs> {
  /// Registers a copy of this file system under a name of its own, with some of it altered.
  ///
  /// - Parameters:
  ///   - name: The name to open a database with.
  ///   - isDefault: Whether databases that name no file system are opened with this one.
  ///   - alter: Sets what the copy does itself.
  /// - Returns: The name; nil when SQLite refused it.
  package func register(
    as name: String,
    isDefault: Bool = false,
    altering alter: (inout sqlite3_vfs) -> Void
  ) -> String? {
    // SQLite keeps both for the life of the process.
    let copy = UnsafeMutablePointer.allocate(capacity: 1)
    copy.initialize(to: pointee)
    copy.pointee.pNext = nil
    copy.pointee.zName = UnsafePointer(strdup(name))
    copy.pointee.szOsFile = max(pointee.szOsFile, Int32(MemoryLayout<LayeredFile>.stride))
    alter(&copy.pointee)
    return sqlite3_vfs_register(copy, isDefault ? 1 : 0) == SQLITE_OK ? name : nil
  }
}
