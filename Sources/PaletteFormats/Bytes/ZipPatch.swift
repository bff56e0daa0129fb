internal import CZlib

/// Replaces one file of a zip archive; all others stay byte for byte, with what the archive says of them.
struct ZipPatch {
  /// A file in the list of the archive.
  private struct Entry {
    let path: String
    /// Its place in the list.
    let listed: Range<Int>
    /// The beginning of its head.
    let place: Int
  }

  private let bytes: [UInt8]
  private var entries: [Entry] = []
  /// The beginning of the list, and of the record behind it.
  private var list = 0
  private var end = 0

  /// The bytes of the head of a file without its name.
  private static let headCount = 30

  /// Looks at an archive; nil where it is none, or one of more than 4 GB, or has files where it cannot have any.
  init?(of bytes: [UInt8]) {
    self.bytes = bytes
    guard (try? ZipArchive(bytes)) != nil, let end = try? ZipArchive.endOfList(bytes) else {
      return nil
    }
    self.end = end
    let count = Int(number(at: end + 10, 2))
    list = Int(number(at: end + 16, 4))
    var place = list
    for _ in 0..<count {
      guard place + 46 <= end else { return nil }
      let size = 46 + [28, 30, 32].reduce(0) { $0 + Int(number(at: place + $1, 2)) }
      let head = number(at: place + 42, 4)
      guard Int(head) + Self.headCount <= list, place + size <= end else { return nil }
      let name = bytes[(place + 46)..<(place + 46 + Int(number(at: place + 28, 2)))]
      entries.append(
        Entry(
          path: String(decoding: name, as: UTF8.self),
          listed: place..<(place + size),
          place: Int(head)
        )
      )
      place += size
    }
    // Records for archives of more than 4 GB stand between.
    guard place == end else { return nil }
  }

  private func number(at place: Int, _ count: Int) -> UInt32 {
    bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The archive with another content of a file, packed as it was; nil where it has no such file.
  func replacing(_ path: String, with content: [UInt8]) -> [UInt8]? {
    guard let old = entries.first(where: { $0.path == path }) else { return nil }
    let next = entries.map(\.place).filter { $0 > old.place }.min() ?? list
    let names = Int(number(at: old.place + 26, 2))
    let extras = Int(number(at: old.place + 28, 2))
    let method = number(at: old.listed.lowerBound + 10, 2)
    guard let packed = method == 8 ? Self.deflated(content) : content,
      old.place + Self.headCount + names + extras <= next
    else { return nil }
    // Sizes are before the content, not behind it, and in 32 bits.
    let isPacked = method == 8
    var facts: [UInt8] = []
    facts.append(little: UInt16(truncatingIfNeeded: number(at: old.place + 6, 2) & ~8))
    facts.append(little: UInt16(isPacked ? 8 : 0))
    facts += bytes[(old.place + 10)..<(old.place + 14)]
    facts.append(little: content.checksum)
    facts.append(little: UInt32(packed.count))
    facts.append(little: UInt32(content.count))
    let rest = old.place + Self.headCount + names
    let name = bytes[(rest - names)..<rest]
    let extra = Self.extra(bytes[rest..<(rest + extras)])
    var head = Array(bytes[old.place..<(old.place + 6)]) + facts
    head.append(little: UInt16(names))
    head.append(little: UInt16(extra.count))
    let file = head + name + extra + packed
    let shift = file.count - (next - old.place)
    var result = Array(bytes[..<old.place]) + file + bytes[next..<list]
    let newList = result.count
    for entry in entries {
      let start = entry.listed.lowerBound
      let place = UInt32(entry.place > old.place ? entry.place + shift : entry.place)
      if entry.listed == old.listed {
        let names = Int(number(at: start + 28, 2))
        let extras = Int(number(at: start + 30, 2))
        let extra = Self.extra(bytes[(start + 46 + names)..<(start + 46 + names + extras)])
        result += bytes[start..<(start + 8)] + facts
        result.append(little: UInt16(names))
        result.append(little: UInt16(extra.count))
        result += bytes[(start + 32)..<(start + 42)]
        result.append(little: place)
        result += bytes[(start + 46)..<(start + 46 + names)] + extra
        result += bytes[(start + 46 + names + extras)..<entry.listed.upperBound]
      } else {
        result += bytes[start..<(start + 42)]
        result.append(little: place)
        result += bytes[(start + 46)..<entry.listed.upperBound]
      }
    }
    let size = result.count - newList
    result += bytes[end..<(end + 12)]
    result.append(little: UInt32(size))
    result.append(little: UInt32(newList))
    return result + bytes[(end + 20)...]
  }

  /// The extra fields of a head, without sizes in 64 bits.
  private static func extra(_ extra: ArraySlice<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    var place = extra.startIndex
    while place + 4 <= extra.endIndex {
      let kind = UInt16(extra[place]) | UInt16(extra[place + 1]) << 8
      let size = Int(extra[place + 2]) | Int(extra[place + 3]) << 8
      let next = min(extra.endIndex, place + 4 + size)
      if kind != 1 { kept += extra[place..<next] }
      place = next
    }
    return kept
  }

  private static func deflated(_ content: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard czlib_deflate_begin(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    let most = Int(deflateBound(&stream, UInt(content.count)))
    var content = content
    var isWhole = false
    let packed = [UInt8](unsafeUninitializedCapacity: most) { output, filled in
      content.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(most)
        isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
        filled = most - Int(stream.avail_out)
      }
    }
    return isWhole ? packed : nil
  }
}
