import PaletteMerge

extension FuzzTarget {
  static let cbor = FuzzTarget(
    name: "cbor",
    summary: "one item of deterministic CBOR",
    lengthLimit: 512,
    seeds: {
      try Examples.state().changes + [
        [0x83, 0x01, 0x20, 0xF6], [0xA2, 0x01, 0xF5, 0x61, 0x61, 0xF9, 0x3C, 0x00],
        [0xFA, 0x47, 0xC3, 0x50, 0x00], [0xFB, 0x3F, 0xF1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9A],
        [0x1B, 0, 0, 0, 1, 0, 0, 0, 0], [0x44, 1, 2, 3, 4], [0x82, 0xF4, 0x38, 0x63],
      ]
    },
    check: { bytes in
      let size = try accepted(bytes) {
        try bytes.withUnsafeBytes { buffer in
          var reader = CBORReader(buffer)
          return try reader.readItem().count
        }
      }
      let copy: [UInt8]? = bytes.withUnsafeBytes { buffer in
        var reader = CBORReader(buffer)
        var writer = CBORWriter()
        return (try? reader.copyItem(to: &writer, depthLimit: 16)) != nil ? writer.bytes : nil
      }
      try ensure((copy == nil) == (size == nil), "skipping and reading disagree")
      guard let copy, let size else { return }
      try ensure(copy.elementsEqual(bytes.prefix(size)), "read and written again, it differs")
    }
  )
}

extension CBORReader {
  /// Reads an item and writes its value, so that only the one encoding comes out as it went in.
  fileprivate mutating func copyItem(
    to writer: inout CBORWriter,
    depthLimit: Int
  ) throws(CBORError) {
    guard depthLimit > 0 else { throw .tooDeep }
    switch try peekMajorType() {
    case 0: writer.write(unsigned: try readUnsigned())
    case 1: writer.append(encoded: try readItem(depthLimit: 1))
    case 2: writer.write(bytes: try readBytes())
    case 3: writer.write(text: try readText())
    case 4:
      let count = try readArray()
      writer.write(array: count)
      for _ in 0..<count { try copyItem(to: &writer, depthLimit: depthLimit - 1) }
    case 5:
      let count = try readMap()
      writer.write(map: count)
      var previous: [UInt8]?
      for _ in 0..<count {
        let start = writer.bytes.count
        try copyItem(to: &writer, depthLimit: depthLimit - 1)
        let key = Array(writer.bytes[start...])
        if let previous, !previous.lexicographicallyPrecedes(key) { throw .notDeterministic }
        previous = key
        try copyItem(to: &writer, depthLimit: depthLimit - 1)
      }
    default: try copySimple(to: &writer)
    }
  }

  private mutating func copySimple(to writer: inout CBORWriter) throws(CBORError) {
    var attempt = self
    if let value = try? attempt.readBool() {
      self = attempt
      writer.write(value)
    } else if isNull {
      try readNull()
      writer.writeNull()
    } else {
      writer.write(try readFloat())
    }
  }
}
