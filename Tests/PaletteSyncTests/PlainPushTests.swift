import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteSync

/// A snapshot in plain parts, of which each is read when it is due.
struct PlainPushTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let payloadBytes = 2_000

  /// A library with many colors.
  private func library() throws -> MemoryLibrary {
    let library = MemoryLibrary(NodeID(1))
    func author(_ edit: Edit) throws { _ = try library.author(edit, in: Self.palette, at: 1) }
    try author(.add(Self.palette.record, [.name: RegisterValue(text: "P")]))
    for number in 0..<500 {
      let name = RegisterValue(text: "color \(number)")
      try author(
        .add(
          RecordID(high: 7, low: UInt64(number)),
          [
            .name: name, .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
            .place: RegisterValue(placeBytes: [UInt8(1 + number % 200)]),
            Register(rawValue: 40): name,
          ]
        )
      )
    }
    return library
  }

  @Test func partsTogetherAreTheSnapshot() throws {
    let library = try library()
    var push = PlainPush(try #require(library.outline(of: Self.palette)))
    var bytes: [UInt8] = []
    var count: UInt64 = 0
    while !push.isAtEnd {
      let part = push.nextPart(of: Self.palette, payloadBytes: Self.payloadBytes, library)
      guard case .snapshot(Self.palette, let index, let isLast, let piece)? = part else {
        Issue.record("no part \(count)")
        return
      }
      #expect(index == count && isLast == push.isAtEnd)
      #expect(!piece.isEmpty && piece.count <= Self.payloadBytes)
      bytes += piece
      count += 1
    }
    #expect(count > 10)
    #expect(bytes == library.states[Self.palette]?.snapshot.encoded)
  }

  @Test func aPartReadsOnlyWhatItHolds() throws {
    let library = try library()
    var push = PlainPush(try #require(library.outline(of: Self.palette)))
    library.lentRows = 0
    _ = push.nextPart(of: Self.palette, payloadBytes: Self.payloadBytes, library)
    // Each row has more than 40 bytes.
    #expect((1...Self.payloadBytes / 40 + 1).contains(library.lentRows))
  }

  @Test func aChangeThatIsGoneEndsIt() throws {
    let library = try library()
    var push = PlainPush(try #require(library.outline(of: Self.palette)))
    _ = push.nextPart(of: Self.palette, payloadBytes: Self.payloadBytes, library)
    library.states[Self.palette] = nil
    var isGone = false
    while !push.isAtEnd, !isGone {
      isGone = push.nextPart(of: Self.palette, payloadBytes: Self.payloadBytes, library) == nil
    }
    #expect(isGone)
  }
}
