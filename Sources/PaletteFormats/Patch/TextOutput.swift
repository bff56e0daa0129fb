/// The text so far; an entry that is a line gets a line end when something follows.
struct TextOutput {
  let lineEnd: [UInt8]
  private(set) var bytes: [UInt8] = []
  private(set) var endsWithLine = false
  private(set) var lineEndCount = 0

  /// True if the space that divided an entry from one that is gone does not follow.
  private var skipsSpace = false

  init(lineEnd: [UInt8]) { self.lineEnd = lineEnd }

  /// Leaves out an entry; the next one on its line comes to stand where it began.
  mutating func leaveOut(_ unit: ArraySlice<UInt8>, _ place: EntryPlace) {
    skipsSpace = place.lineEnd == nil && unit.first != 0x20 && unit.first != 0x09
  }

  private mutating func withoutSpace(_ text: [UInt8]) -> ArraySlice<UInt8> {
    defer { skipsSpace = false }
    return skipsSpace ? text.drop { $0 == 0x20 || $0 == 0x09 } : text[...]
  }

  mutating func append(_ gap: [UInt8]) {
    guard !gap.isEmpty else { return }
    let gap = withoutSpace(gap)
    bytes += gap
    endsWithLine = false
    endsWithLine = bytes.last == 0x0A || bytes.last == 0x0D
    lineEndCount = bytes.suffix(2) == [0x0D, 0x0A] ? 2 : 1
  }

  mutating func append(_ unit: [UInt8], _ place: EntryPlace) {
    bytes += withoutSpace(unit)
    endsWithLine = place.lineEnd != nil
    guard endsWithLine else { return }
    bytes += lineEnd
    lineEndCount = lineEnd.count
  }
}
