internal import CZlib

/// A zip archive that is read: the list at its end says what is in it.
///
/// Nothing that it says about sizes is believed: all files together unpack to at most 64 MiB, and each
/// has to have the length and the checksum of the list.
package struct ZipArchive {
  private struct Entry {
    let path: String
    let method: UInt16
    let checksum: UInt32
    let packedCount: Int
    let count: Int
    let place: Int
  }

  /// The most bytes that all files of an archive, or of a folder, may have.
  package static let sizeLimit = 64 << 20
  /// The most files that an archive, or a folder, may have.
  package static let countLimit = 10_000

  private let bytes: [UInt8]
  private let entries: [Entry]

  /// Returns whether bytes begin as an archive does.
  package static func isOne(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Reads the list of an archive.
  package init(_ bytes: [UInt8]) throws(FormatError) {
    self.bytes = bytes
    let end = try Self.endOfList(bytes)
    var reader = ByteReader(bytes[end...])
    _ = try reader.bytes(8)
    _ = try reader.little(UInt16.self)
    let count = Int(try reader.little(UInt16.self))
    _ = try reader.little(UInt32.self)
    let place = Int(try reader.little(UInt32.self))
    guard count <= Self.countLimit else {
      throw .badFile("the archive holds \(count) files, at most \(Self.countLimit) are read")
    }
    guard place <= end else { throw .badFile("the list of the archive is not where it says") }
    var list = ByteReader(bytes[place..<end])
    var entries: [Entry] = []
    for _ in 0..<count { entries.append(try Self.entry(&list)) }
    let total = entries.reduce(0) { $0 + $1.count }
    guard total <= Self.sizeLimit else {
      throw .badFile("the archive unpacks to \(total) bytes, at most \(Self.sizeLimit) are read")
    }
    self.entries = entries.filter { !$0.path.hasSuffix("/") }
  }

  /// The paths of the files, in the order of the list.
  package var paths: [String] { entries.map(\.path) }

  /// All files, unpacked.
  package func files() throws(FormatError) -> [ArchivedFile] {
    var files: [ArchivedFile] = []
    for entry in entries { files.append(ArchivedFile(path: entry.path, bytes: try unpack(entry))) }
    return files
  }

  /// The bytes of one file; nil when the archive has none of that path.
  package func file(_ path: String) throws(FormatError) -> [UInt8]? {
    guard let entry = entries.first(where: { $0.path == path }) else { return nil }
    return try unpack(entry)
  }

  /// The record at the end stands before a comment of up to 65535 bytes.
  static func endOfList(_ bytes: [UInt8]) throws(FormatError) -> Int {
    let lowest = max(0, bytes.count - 22 - 0xFFFF)
    var place = bytes.count - 22
    while place >= lowest {
      if bytes[place...].starts(with: [0x50, 0x4B, 0x05, 0x06]) { return place }
      place -= 1
    }
    throw .badFile("the archive has no list of its files; it may be cut off")
  }

  private static func entry(_ list: inout ByteReader) throws(FormatError) -> Entry {
    guard try list.bytes(4).elementsEqual([0x50, 0x4B, 0x01, 0x02]) else {
      throw .badFile("the list of the archive is damaged")
    }
    _ = try list.bytes(4)
    let flags = try list.little(UInt16.self)
    let method = try list.little(UInt16.self)
    _ = try list.bytes(4)
    let checksum = try list.little(UInt32.self)
    var packedCount = UInt64(try list.little(UInt32.self))
    var count = UInt64(try list.little(UInt32.self))
    let pathCount = Int(try list.little(UInt16.self))
    let extraCount = Int(try list.little(UInt16.self))
    let commentCount = Int(try list.little(UInt16.self))
    _ = try list.bytes(8)
    var place = UInt64(try list.little(UInt32.self))
    let path = String(decoding: try list.bytes(pathCount), as: UTF8.self)
    // What does not fit 32 bits stands in a field of 64, where some writers put all.
    var extra = ByteReader(try list.bytes(extraCount))
    while extra.count >= 4 {
      let kind = try extra.little(UInt16.self)
      var field = ByteReader(try extra.bytes(Int(try extra.little(UInt16.self))))
      guard kind == 1 else { continue }
      if count == UInt32.max { count = try field.little(UInt64.self) }
      if packedCount == UInt32.max { packedCount = try field.little(UInt64.self) }
      if place == UInt32.max { place = try field.little(UInt64.self) }
    }
    _ = try list.bytes(commentCount)
    guard flags & 1 == 0 else { throw .badFile("'\(path)' in the archive is encrypted") }
    guard count <= sizeLimit, packedCount <= sizeLimit, place <= Int.max else {
      throw .badFile("'\(path)' unpacks to \(count) bytes, at most \(sizeLimit) are read")
    }
    return Entry(
      path: path,
      method: method,
      checksum: checksum,
      packedCount: Int(packedCount),
      count: Int(count),
      place: Int(place)
    )
  }

  private func unpack(_ entry: Entry) throws(FormatError) -> [UInt8] {
    guard entry.place <= bytes.count else {
      throw .badFile("'\(entry.path)' is not where the archive says")
    }
    var reader = ByteReader(bytes[entry.place...])
    guard try reader.bytes(4).elementsEqual([0x50, 0x4B, 0x03, 0x04]) else {
      throw .badFile("'\(entry.path)' is not where the archive says")
    }
    _ = try reader.bytes(22)
    let pathCount = Int(try reader.little(UInt16.self))
    let extraCount = Int(try reader.little(UInt16.self))
    _ = try reader.bytes(pathCount + extraCount)
    let packed = Array(try reader.bytes(entry.packedCount))
    let unpacked =
      switch entry.method {
      case 0: packed
      case 8: Self.inflate(packed, count: entry.count)
      default:
        throw .badFile("'\(entry.path)' is packed by a method that zlib does not have")
      }
    guard let unpacked, unpacked.count == entry.count,
      unpacked.checksum == entry.checksum
    else { throw .badFile("'\(entry.path)' in the archive is damaged") }
    return unpacked
  }

  /// The bytes unpacked; nil when they are not exactly as many as the list says.
  private static func inflate(_ packed: [UInt8], count: Int) -> [UInt8]? {
    var stream = z_stream()
    guard czlib_inflate_begin(&stream) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var isWhole = false
    var packed = packed
    // A place for one byte more tells a stream that goes on from one that ends here.
    let bytes = [UInt8](unsafeUninitializedCapacity: count + 1) { output, filled in
      packed.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(count + 1)
        isWhole = CZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END
        filled = count + 1 - Int(stream.avail_out)
      }
    }
    return isWhole ? bytes : nil
  }
}

extension [UInt8] {
  /// The checksum of zip and PNG.
  var checksum: UInt32 { UInt32(crc32(0, self, UInt32(count))) }
}
