import Testing

@testable import WebSocket

struct FrameTests {
  @Test(
    arguments: [
      (0, [0x82, 0]), (1, [0x82, 1]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]),
      (65_535, [0x82, 126, 255, 255]), (65_536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] as [(Int, [UInt8])]
  )
  func writesTheShortestHeader(count: Int, header: [UInt8]) {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let frame = Frame(payload, kind: .binary)
    let bytes = [UInt8](unsafeUninitializedCapacity: count + Frame.headerLimit) { buffer, used in
      used = buffer.baseAddress.map { frame.write(to: $0) } ?? 0
    }
    #expect(bytes == header + payload)
  }

  @Test func marksText() {
    var bytes: [UInt8] = [0, 0, 0]
    let frame = Frame([65], kind: .text)
    let count = bytes.withUnsafeMutableBufferPointer { $0.baseAddress.map(frame.write) }
    #expect(count == 3 && bytes == [0x81, 1, 65])
  }
}
