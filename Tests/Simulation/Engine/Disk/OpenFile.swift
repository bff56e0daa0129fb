import CSQLite
import PalettePlatform
import PaletteStore

/// An open file of a simulated disk.
final class OpenFile: FileLayer {
  private let disk: SimulatedDisk
  private let file: DiskFile
  let real: UnsafeMutablePointer<sqlite3_file>
  private var size: Int
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

  deinit { unmap() }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    guard !disk.isDown, !disk.failsReading() else { return IOFailure.read }
    return methods.xRead(real, buffer.baseAddress, Int32(buffer.count), Int64(offset))
  }

  func write(_ piece: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    guard !disk.isDown else { return IOFailure.write }
    switch disk.failsWriting() {
    case .full: return SQLITE_FULL
    case .write: return IOFailure.write
    case .read, .sync, .lostSync, nil: break
    }
    file.recordWrite(
      offset: offset,
      old: old(offset, piece.count),
      new: [UInt8](piece),
      oldSize: size
    )
    size = max(size, offset + piece.count)
    return methods.xWrite(real, piece.baseAddress, Int32(piece.count), Int64(offset))
  }

  func truncate(to count: Int) -> Int32 {
    guard !disk.isDown else { return IOFailure.truncate }
    file.recordWrite(offset: count, old: old(count, max(0, size - count)), new: [], oldSize: size)
    size = count
    return methods.xTruncate(real, Int64(count))
  }

  private func old(_ offset: Int, _ count: Int) -> [UInt8] {
    let count = min(count, size - offset)
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      _ = methods.xRead(real, buffer.baseAddress, Int32(count), Int64(offset))
      filled = count
    }
  }

  func synchronize(_ flags: Int32) -> Int32 {
    guard !disk.isDown, disk.synchronize(file) else {
      // What was lost may have been all that made the file so long.
      var bytes: sqlite3_int64 = 0
      if methods.xFileSize(real, &bytes) == SQLITE_OK { size = Int(bytes) }
      return IOFailure.synchronize
    }
    return SQLITE_OK
  }

  func measure(_ size: UnsafeMutablePointer<sqlite3_int64>?) -> Int32 {
    size?.pointee = Int64(self.size)
    return SQLITE_OK
  }

  func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    // Of all requests, those for the real file's name and handle would lead around the disk.
    guard operation == SQLITE_FCNTL_HAS_MOVED, let argument else { return SQLITE_NOTFOUND }
    argument.assumingMemoryBound(to: Int32.self).pointee = 0
    return SQLITE_OK
  }

  var sectorBytes: Int32 { 4096 }

  var characteristics: Int32 { SQLITE_IOCAP_POWERSAFE_OVERWRITE }

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
