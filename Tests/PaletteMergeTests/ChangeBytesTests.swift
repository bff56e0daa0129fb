import Testing

@testable import PaletteMerge

/// Bytes are the same wherever they lie.
struct ChangeBytesTests {
  private let many: [UInt8] = [1, 2, 3, 1, 2, 4]

  @Test func areEqualByContent() {
    let alone = ChangeBytes([1, 2])
    let first = ChangeBytes(many, 0..<2)
    let second = ChangeBytes(many, 3..<5)
    #expect(first == alone && second == alone && first == second)
    #expect(Set([alone, first, second]).count == 1)
    for other in [ChangeBytes(many, 1..<3), ChangeBytes(many, 0..<3), ChangeBytes([])] {
      #expect(other != alone)
    }
  }

  @Test func areLentWithoutTheirNeighbours() {
    for range in [0..<6, 0..<2, 2..<6, 4..<4] {
      let bytes = ChangeBytes(many, range)
      #expect(bytes.count == range.count)
      #expect(bytes.array == [UInt8](many[range]))
      #expect(bytes.withUnsafeBytes { [UInt8]($0) } == [UInt8](many[range]))
    }
  }

  @Test func comeWhereTheyWerePromised() {
    var bytes = ChangeBytes(promising: 2..<5)
    #expect(bytes.count == 3)
    bytes.come(to: many)
    #expect(bytes == ChangeBytes([3, 1, 2]))
  }
}
