/// The text so far; an entry that is a line gets a line end when something follows.
struct TextOutput {
  let lineEnd: [UInt8]
  private(set) var bytes: [UInt8] = []
  private(set) var endsWithLine = false
  private(set) var lineEndCount = 0

  init(lineEnd: [UInt8]) { self.lineEnd = lineEnd }

  mutating func append(_ gap: [UInt8]) {
    guard !gap.isEmpty else { return }
    bytes += gap
    endsWithLine = false
    endsWithLine = bytes.last == 0x0A || bytes.last == 0x0D
    lineEndCount = bytes.suffix(2) == [0x0D, 0x0A] ? 2 : 1
  }

  mutating func append(_ unit: [UInt8], _ place: EntryPlace) {
    bytes += unit
    endsWithLine = place.lineEnd != nil
    guard endsWithLine else { return }
    bytes += lineEnd
    lineEndCount = lineEnd.count
  }
}
