import Testing

@testable import WebSocket

struct SendQueueTests {
  private static func frame(_ count: Int) -> MessageFrame {
    MessageFrame([UInt8](repeating: 7, count: count), kind: .binary)
  }

  private func push(_ frame: MessageFrame, _ queue: inout SendQueue) -> Bool { queue.push(frame) }

  @Test func isBoundedInBytes() {
    var queue = SendQueue(byteLimit: 10)
    #expect(push(Self.frame(6), &queue) == true)
    #expect(push(Self.frame(4), &queue) == true)
    #expect(push(Self.frame(1), &queue) == false)
    #expect(push(Self.frame(0), &queue) == false)
    #expect(queue.byteCount == 10)
    queue.removeFirst()
    #expect(queue.byteCount == 4)
    #expect(push(Self.frame(6), &queue) == true)
    #expect(push(Self.frame(11), &queue) == false)
  }

  @Test func keepsOrderThroughManyRounds() {
    var queue = SendQueue(byteLimit: 1 << 20)
    var next = 0
    var expected = 0
    for round in 0..<2000 {
      for _ in 0..<(round % 5) {
        #expect(push(Self.frame(next % 100 + 1), &queue) == true)
        next += 1
      }
      if let frame = queue.first {
        #expect(frame.count == expected % 100 + 1)
        queue.removeFirst()
        expected += 1
      }
    }
    while let frame = queue.first {
      #expect(frame.count == expected % 100 + 1)
      queue.removeFirst()
      expected += 1
    }
    #expect(expected == next && queue.isEmpty && queue.byteCount == 0)
  }

  @Test func keepsWhatHasBegunToLeave() {
    var queue = SendQueue(byteLimit: 100)
    _ = queue.push(Self.frame(30))
    _ = queue.push(Self.frame(40))
    queue.offset = 10
    queue.discardUnbegun()
    #expect(queue.byteCount == 30 && queue.first?.count == 30)
    queue.removeFirst()
    _ = queue.push(Self.frame(40))
    queue.discardUnbegun()
    #expect(queue.isEmpty && queue.byteCount == 0)
  }
}
