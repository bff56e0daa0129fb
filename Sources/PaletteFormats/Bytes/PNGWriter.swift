internal import CZlib

/// Makes a PNG of pixels with red, green, blue and alpha of eight bits.
struct PNGWriter {
  private let width: Int
  private let height: Int
  private var lines: [UInt8] = []

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    lines.reserveCapacity(height * (width * 4 + 1))
  }

  /// Adds a line; one that is as the line above costs little.
  mutating func append(line: [UInt8]) {
    lines.append(0)
    lines += line
  }

  /// The file.
  func finished() -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    var head: [UInt8] = []
    head.append(big: UInt32(width))
    head.append(big: UInt32(height))
    // Eight bits, with alpha, neither filtered beyond the usual nor interlaced.
    head += [8, 6, 0, 0, 0]
    bytes.append(chunk: "IHDR", head)
    bytes.append(chunk: "IDAT", packed)
    bytes.append(chunk: "IEND", [])
    return bytes
  }

  private var packed: [UInt8] {
    var count = compressBound(UInt(lines.count))
    return [UInt8](unsafeUninitializedCapacity: Int(count)) { output, filled in
      _ = compress(output.baseAddress, &count, lines, UInt(lines.count))
      filled = Int(count)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(chunk kind: String, _ data: [UInt8]) {
    append(big: UInt32(data.count))
    let content = Array(kind.utf8) + data
    self += content
    append(big: content.checksum)
  }
}
