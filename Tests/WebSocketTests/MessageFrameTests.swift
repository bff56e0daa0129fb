import Testing

@testable import WebSocket

struct MessageFrameTests {
  @Test(
    arguments: [
      (0, [0x82, 0]), (1, [0x82, 1]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]),
      (65_535, [0x82, 126, 255, 255]), (65_536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] as [(Int, [UInt8])]
  )
  func writesTheShortestHeader(count: Int, header: [UInt8]) {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let frame = MessageFrame(payload, kind: .binary)
    withExtendedLifetime(frame) {
      #expect(Array(frame.wire) == header + payload)
      #expect(Array(frame.payload) == payload)
    }
    // Whoever masks, or sends it in fragments, makes its own.
    #expect(FrameEncoder.frame(.binary, payload, mask: nil) == header + payload)
  }

  @Test func marksText() {
    let frame = MessageFrame([65], kind: .text)
    withExtendedLifetime(frame) { #expect(Array(frame.wire) == [0x81, 1, 65]) }
  }

  /// The example of RFC 6455, section 5.7.
  @Test func masksWhatAClientSends() {
    #expect(
      FrameEncoder.frame(.text, Array("Hello".utf8), mask: 0x3D21_FA37)
        == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    )
  }
}
