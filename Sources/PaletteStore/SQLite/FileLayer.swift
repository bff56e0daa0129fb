package import CSQLite

/// An open file that stands before one of another file system.
///
/// SQLite calls it on the thread of its connection alone. Every lock is granted: SQLite asks a log
/// for none, and what one process has to itself needs none.
package protocol FileLayer: AnyObject {
  /// The file behind, which is closed with this one.
  var real: UnsafeMutablePointer<sqlite3_file> { get }

  /// Fills a buffer with what stands at an offset.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32
  /// Writes a piece at an offset.
  func write(_ piece: UnsafeRawBufferPointer, at offset: Int) -> Int32
  /// Cuts the file to a length.
  func truncate(to size: Int) -> Int32
  /// Makes what was written durable.
  func synchronize(_ flags: Int32) -> Int32
  /// Tells the length of the file.
  func measure(_ size: UnsafeMutablePointer<sqlite3_int64>?) -> Int32
  /// Answers a request of `sqlite3_file_control`.
  func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32
  /// Gives a region of shared memory; nil when it has none.
  func map(_ region: Int, _ bytes: Int, extends: Bool) -> UnsafeMutableRawPointer?
  /// Gives up the shared memory.
  func unmap()
  /// The number of bytes the disk writes at once.
  var sectorBytes: Int32 { get }
  /// The promises of the disk, as SQLite numbers them.
  var characteristics: Int32 { get }
}

extension FileLayer {
  /// The abilities of the file behind the layer.
  package var methods: sqlite3_io_methods { real.pointee.pMethods.pointee }

  package func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    methods.xFileControl(real, operation, argument)
  }

  package func map(_ region: Int, _ bytes: Int, extends: Bool) -> UnsafeMutableRawPointer? { nil }

  package func unmap() {}

  package var sectorBytes: Int32 { methods.xSectorSize(real) }

  package var characteristics: Int32 { methods.xDeviceCharacteristics(real) }
}
