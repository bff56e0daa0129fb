import CSQLite
import Glibc

/// What SQLite holds of a file on a simulated disk: its `sqlite3_file`, and ours behind it.
struct OpenFile {
  var base: sqlite3_file
  var state: Unmanaged<OpenFileState>
}

/// An open file of a simulated disk.
final class OpenFileState {
  let disk: SimulatedDisk
  let file: DiskFile
  let real: UnsafeMutablePointer<sqlite3_file>
  var size: Int
  /// The index of the write-ahead log, which a single process keeps in its own memory.
  private var regions: [UnsafeMutableRawPointer] = []

  init(_ disk: SimulatedDisk, _ path: String, _ real: UnsafeMutablePointer<sqlite3_file>) {
    self.disk = disk
    file = disk.file(path)
    self.real = real
    var bytes: sqlite3_int64 = 0
    _ = real.pointee.pMethods.pointee.xFileSize(real, &bytes)
    size = Int(bytes)
  }

  deinit {
    for region in regions { region.deallocate() }
    UnsafeMutableRawPointer(real).deallocate()
  }

  func write(_ bytes: UnsafeRawPointer?, _ count: Int, at offset: Int) -> Int32 {
    guard !disk.isDown else { return IOFailure.write }
    switch disk.failsWriting() {
    case .full: return SQLITE_FULL
    case .write: return IOFailure.write
    case .sync, nil: break
    }
    file.note(
      offset: offset,
      old: old(offset, count),
      new: [UInt8](UnsafeRawBufferPointer(start: bytes, count: count)),
      oldSize: size
    )
    size = max(size, offset + count)
    return real.pointee.pMethods.pointee.xWrite(real, bytes, Int32(count), Int64(offset))
  }

  func truncate(to count: Int) -> Int32 {
    guard !disk.isDown else { return IOFailure.truncate }
    file.note(offset: count, old: old(count, max(0, size - count)), new: [], oldSize: size)
    size = count
    return real.pointee.pMethods.pointee.xTruncate(real, Int64(count))
  }

  private func old(_ offset: Int, _ count: Int) -> [UInt8] {
    let count = min(count, size - offset)
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      _ = real.pointee.pMethods.pointee.xRead(
        real,
        buffer.baseAddress,
        Int32(count),
        Int64(offset)
      )
      filled = count
    }
  }

  func synchronize() -> Int32 {
    guard !disk.isDown, disk.synchronize(file) else { return IOFailure.synchronize }
    return SQLITE_OK
  }

  func map(_ region: Int, _ bytes: Int, extends: Bool) -> UnsafeMutableRawPointer? {
    while regions.count <= region {
      guard extends else { return nil }
      let new = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
      memset(new, 0, bytes)
      regions.append(new)
    }
    return regions[region]
  }

  func unmap() {
    for region in regions { region.deallocate() }
    regions = []
  }
}

extension OpenFile {
  fileprivate static func state(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OpenFileState? {
    guard let file else { return nil }
    return UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self).pointee.state
      .takeUnretainedValue()
  }

  /// The methods of every open file, made once.
  ///
  /// `nonisolated(unsafe)` holds because the table is written only here, before the one-time
  /// initialization of a global lets any thread see it, is never freed, and SQLite takes it as
  /// constant; what the methods work on they find in the file that they are called with.
  nonisolated(unsafe) static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 2
    methods.pointee.xClose = { file in
      guard let file else { return SQLITE_OK }
      let opened = UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self)
      let state = opened.pointee.state.takeRetainedValue()
      opened.pointee.base.pMethods = nil
      return state.real.pointee.pMethods.pointee.xClose(state.real)
    }
    methods.pointee.xRead = { file, buffer, count, offset in
      guard let state = OpenFile.state(file), !state.disk.isDown else { return IOFailure.read }
      return state.real.pointee.pMethods.pointee.xRead(state.real, buffer, count, offset)
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
      OpenFile.state(file)?.write(bytes, Int(count), at: Int(offset)) ?? IOFailure.write
    }
    methods.pointee.xTruncate = { file, size in
      OpenFile.state(file)?.truncate(to: Int(size)) ?? IOFailure.truncate
    }
    methods.pointee.xSync = { file, _ in
      OpenFile.state(file)?.synchronize() ?? IOFailure.synchronize
    }
    methods.pointee.xFileSize = { file, size in
      guard let state = OpenFile.state(file) else { return IOFailure.size }
      size?.pointee = Int64(state.size)
      return SQLITE_OK
    }
    methods.pointee.xLock = { _, _ in SQLITE_OK }
    methods.pointee.xUnlock = { _, _ in SQLITE_OK }
    methods.pointee.xCheckReservedLock = { _, isReserved in
      isReserved?.pointee = 0
      return SQLITE_OK
    }
    methods.pointee.xFileControl = { file, operation, argument in
      // Of all requests, those for the real file's name and handle would lead around the disk.
      guard operation == SQLITE_FCNTL_HAS_MOVED, let argument else { return SQLITE_NOTFOUND }
      argument.assumingMemoryBound(to: Int32.self).pointee = 0
      return SQLITE_OK
    }
    methods.pointee.xSectorSize = { _ in 4096 }
    methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    methods.pointee.xShmMap = { file, region, bytes, extends, result in
      result?.pointee = OpenFile.state(file)?.map(Int(region), Int(bytes), extends: extends != 0)
      return SQLITE_OK
    }
    methods.pointee.xShmLock = { _, _, _, _ in SQLITE_OK }
    methods.pointee.xShmBarrier = { _ in }
    methods.pointee.xShmUnmap = { file, _ in
      OpenFile.state(file)?.unmap()
      return SQLITE_OK
    }
    return methods
  }()
}
