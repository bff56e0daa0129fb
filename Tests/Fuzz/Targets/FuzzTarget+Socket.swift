@testable import PaletteClient
@testable import PaletteCommands

extension FuzzTarget {
  static let socket = FuzzTarget(
    name: "socket",
    summary: "what a command hears from a node: HTTP head and WebSocket frames",
    lengthLimit: 256,
    words: ["HTTP/1.1 101 \r\n", "\r\n\r\n"],
    seeds: {
      let head = Array("HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n".utf8)
      let frames: [[UInt8]] = [
        [0x81, 2, 65, 66], [0x01, 1, 65, 0x89, 1, 66, 0x80, 1, 67], [0x88, 0],
        [0x81, 126, 0, 3, 65, 65, 65], [0x81, 127, 0, 0, 0, 0, 0, 0, 0, 1, 65],
        [0x81, 127, 255, 255, 255, 255, 255, 255, 255, 255],
      ]
      return frames.map { head + $0 } + [head + frames.joined()]
    },
    check: { bytes in
      let whole = hear(bytes, atOnce: bytes.count)
      for size in [1, 3] {
        try ensure(
          hear(bytes, atOnce: size) == whole,
          "in pieces of \(size) it says something else"
        )
      }
    }
  )

  private static func hear(_ bytes: [UInt8], atOnce size: Int) -> [String] {
    var reader = FrameReader(limit: 1000)
    var rest = bytes[...]
    var heard: [String] = []
    var isOpen = false
    while !rest.isEmpty {
      _ = reader.fill { buffer in
        let count = min(size, rest.count, buffer.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
      }
      if !isOpen {
        guard let head = reader.removeHead() else { continue }
        isOpen = true
        heard.append(head)
      }
      do throws(APIError) {
        while let event = try reader.next() {
          heard.append("\(event)")
          if event == .closed { return heard }
        }
      } catch {
        return heard + ["\(error)"]
      }
    }
    return heard
  }
}
