/// Makes a zip archive of files as they are: palettes are small, and some readers want the first file
/// unpacked.
struct ZipWriter {
  private(set) var bytes: [UInt8] = []
  private var list: [UInt8] = []
  private var count: UInt16 = 0

  /// Every file is of the first of January 1980, so that the same palette makes the same archive.
  private static let date: UInt16 = 0x21

  /// Adds a file; paths and sizes stay far below the limits of the format.
  mutating func add(_ path: String, _ content: [UInt8]) {
    let place = UInt32(bytes.count)
    var head: [UInt8] = []
    // Version 2.0, UTF-8 in the path, not packed.
    head.append(little: UInt16(20))
    head.append(little: UInt16(0x800))
    head.append(little: UInt16(0))
    head.append(little: UInt16(0))
    head.append(little: Self.date)
    head.append(little: content.checksum)
    head.append(little: UInt32(content.count))
    head.append(little: UInt32(content.count))
    head.append(little: UInt16(path.utf8.count))
    head.append(little: UInt16(0))
    bytes += [0x50, 0x4B, 0x03, 0x04] + head + Array(path.utf8) + content
    list += [0x50, 0x4B, 0x01, 0x02]
    list.append(little: UInt16(20))
    list += head
    list += Array(repeating: 0, count: 10)
    list.append(little: place)
    list += Array(path.utf8)
    count += 1
  }

  /// The archive with its list.
  func finished() -> [UInt8] {
    var end: [UInt8] = [0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0]
    end.append(little: count)
    end.append(little: count)
    end.append(little: UInt32(list.count))
    end.append(little: UInt32(bytes.count))
    end.append(little: UInt16(0))
    return bytes + list + end
  }
}
