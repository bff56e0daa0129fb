/// Reads the frames that the other side sends (RFC 6455, section 5) from pieces of any size.
///
/// It is strict where libwebsockets (4.1.6) is not: that drops a ping while another waits for its
/// answer, takes lengths that are longer than needed, and forgets what came before a violation.
/// Nothing is read behind a close or a violation.
package struct FrameParser {
  /// The meaning of the bytes.
  package enum Event: Equatable {
    /// A whole message, its fragments joined.
    case message(Message)
    /// A ping, to be answered with the same payload.
    case ping([UInt8])
    /// An answer to a ping.
    case pong
    /// A close that follows the rules.
    case close(CloseEvent)
    /// The connection must fail with this code.
    case violation(CloseCode, reason: String)
  }

  /// The most bytes of a message, its fragments together; a frame that announces more is refused.
  var messageLimit: Int
  /// True if the other side has to mask what it sends, as a client has, or must not, as a server.
  let isMasked: Bool
  /// True if nothing more is read.
  private(set) var isFinished = false

  private var header: [UInt8] = []
  private var opcode: UInt8 = 0
  private var isFinal = false
  private var mask: [UInt8] = [0, 0, 0, 0]
  /// The number of bytes of the present frame's payload that are missing; nil in a header.
  private var missing: Int?
  private var maskOffset = 0
  private var control: [UInt8] = []
  /// The kind of the message that has begun.
  private var kind: Message.Kind?
  private var message: [UInt8] = []
  private var text = UTF8Check()

  /// Begins with nothing; from a client, payloads have to be masked.
  package init(messageLimit: Int, isMasked: Bool = true) {
    self.messageLimit = messageLimit
    self.isMasked = isMasked
  }

  /// Takes in the next bytes.
  package mutating func read(_ bytes: UnsafeRawBufferPointer) -> [Event] {
    var events: [Event] = []
    var rest = bytes
    while !isFinished {
      if missing == nil {
        guard let byte = rest.first else { break }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        header.append(byte)
        if let event = readHeader() { finish(with: event, &events) }
      } else if let event = readPayload(&rest) {
        switch event {
        case .close, .violation: finish(with: event, &events)
        case .message, .ping, .pong: events.append(event)
        }
      } else if missing != nil {
        // The payload goes on in the next piece.
        break
      }
    }
    return events
  }

  private mutating func finish(with event: Event, _ events: inout [Event]) {
    stop()
    events.append(event)
  }

  /// The bytes that are kept of a message that has not come whole.
  var unfinishedBytes: Int { message.count }

  /// Reads nothing more and forgets the message that has not come whole.
  mutating func stop() {
    isFinished = true
    message = []
  }

  // MARK: Headers

  /// Judges the header as far as it has come; a whole one begins the payload.
  private mutating func readHeader() -> Event? {
    switch header.count {
    case 1: return firstByte(header[0])
    case 2: if let event = secondByte(header[1]) { return event }
    default: break
    }
    guard header.count == headerCount else { return nil }
    let length = header.dropFirst(2).dropLast(isMasked ? 4 : 0)
    guard let count = payloadLength(length) else {
      return .violation(.protocolError, reason: "a length that is none")
    }
    if isMasked { mask = Array(header.suffix(4)) }
    header = []
    maskOffset = 0
    guard opcode >= 8 || count <= messageLimit - message.count else {
      return .violation(.messageTooBig, reason: "")
    }
    missing = count
    return nil
  }

  private mutating func firstByte(_ byte: UInt8) -> Event? {
    opcode = byte & 0x0F
    isFinal = byte & 0x80 != 0
    guard byte & 0x70 == 0 else { return .violation(.protocolError, reason: "reserved bits") }
    switch opcode {
    case 0 where kind == nil:
      return .violation(.protocolError, reason: "nothing to continue")
    case 1 where kind != nil, 2 where kind != nil:
      return .violation(.protocolError, reason: "a message within a message")
    case 1:
      kind = .text
      text = UTF8Check()
    case 2:
      kind = .binary
    case 0:
      break
    case 8, 9, 10:
      control = []
      if !isFinal { return .violation(.protocolError, reason: "a control frame in pieces") }
    default:
      return .violation(.protocolError, reason: "an unknown kind of frame")
    }
    return nil
  }

  private func secondByte(_ byte: UInt8) -> Event? {
    guard isMasked == (byte & 0x80 != 0) else {
      return .violation(.protocolError, reason: isMasked ? "not masked" : "masked")
    }
    guard opcode < 8 || byte & 0x7F <= 125 else {
      return .violation(.protocolError, reason: "a control frame over 125 bytes")
    }
    return nil
  }

  /// The size of the header, which its second byte tells.
  private var headerCount: Int {
    guard header.count >= 2 else { return 2 }
    let maskCount = isMasked ? 4 : 0
    switch header[1] & 0x7F {
    case 126: return 4 + maskCount
    case 127: return 10 + maskCount
    default: return 2 + maskCount
    }
  }

  /// The length of the payload; nil when it is not the shortest form of a possible one.
  private func payloadLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty else { return Int(header[1] & 0x7F) }
    let number = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    guard number >= (bytes.count == 2 ? 126 : 65_536) else { return nil }
    return Int(exactly: number)
  }

  // MARK: Payloads

  /// Takes what there is of the payload; the event that it completes, if it does.
  private mutating func readPayload(_ rest: inout UnsafeRawBufferPointer) -> Event? {
    guard let wanted = missing else { return nil }
    let count = min(wanted, rest.count)
    let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    if opcode >= 8 {
      Self.append(piece, to: &control, mask: turnedMask)
    } else {
      let start = message.count
      Self.append(piece, to: &message, mask: turnedMask)
      if kind == .text, !message.withUnsafeBytes({ text.accept(.init(rebasing: $0[start...])) }) {
        return .violation(.invalidPayload, reason: "not UTF-8")
      }
    }
    maskOffset = (maskOffset + count) & 3
    guard count == wanted else {
      missing = wanted - count
      return nil
    }
    missing = nil
    return completeFrame()
  }

  /// The mask, turned to where the next piece begins, as a word.
  private var turnedMask: UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(mask[(maskOffset + $1) & 3]) << (8 * UInt64($1)) }
  }

  /// Appends what a masked piece says; the mask is a word with the first byte lowest.
  private static func append(
    _ piece: UnsafeRawBufferPointer,
    to target: inout [UInt8],
    mask: UInt64
  ) {
    let start = target.count
    target.append(contentsOf: piece)
    guard mask != 0 else { return }
    target.withUnsafeMutableBytes { FrameMask.apply(mask, to: .init(rebasing: $0[start...])) }
  }

  private mutating func completeFrame() -> Event? {
    switch opcode {
    case 8: return closeEvent()
    case 9: return .ping(control)
    case 10: return .pong
    default: break
    }
    guard isFinal, let kind else { return nil }
    guard kind == .binary || text.isComplete else {
      return .violation(.invalidPayload, reason: "not UTF-8")
    }
    let whole = Message(kind: kind, bytes: message)
    self.kind = nil
    message = []
    return .message(whole)
  }

  private func closeEvent() -> Event {
    guard control.count != 1 else {
      return .violation(.protocolError, reason: "half a close code")
    }
    guard control.count > 1 else {
      return .close(CloseEvent(code: .noStatus, reason: "", initiator: .remote))
    }
    let code = UInt16(control[0]) << 8 | UInt16(control[1])
    // RFC 6455, section 7.4, with the codes registered since.
    guard
      (1000...1014).contains(code) && !(1004...1006).contains(code)
        || (3000...4999).contains(code)
    else { return .violation(.protocolError, reason: "an impossible close code") }
    var check = UTF8Check()
    let isText = control.withUnsafeBytes { check.accept(.init(rebasing: $0[2...])) }
    guard isText, check.isComplete else {
      return .violation(.invalidPayload, reason: "not UTF-8")
    }
    return .close(
      CloseEvent(
        code: CloseCode(rawValue: code),
        reason: String(decoding: control[2...], as: UTF8.self),
        initiator: .remote
      )
    )
  }
}

/// Checks text piece by piece, so that a message ends at its first wrong byte.
struct UTF8Check {
  /// The number of bytes of the present character that are missing.
  private var missing = 0
  /// The values that the next of them may have.
  private var range: ClosedRange<UInt8> = 0x80...0xBF

  /// True if the text could end here.
  var isComplete: Bool { missing == 0 }

  /// Takes in the next bytes; false when they cannot belong to any text.
  mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if missing == 0, index + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
        continue
      }
      guard accept(bytes[index]) else { return false }
      index += 1
    }
    return true
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard range.contains(byte) else { return false }
      missing -= 1
      range = 0x80...0xBF
      return true
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: begin(1, 0x80...0xBF)
    case 0xE0: begin(2, 0xA0...0xBF)
    case 0xED: begin(2, 0x80...0x9F)
    case 0xE1...0xEF: begin(2, 0x80...0xBF)
    case 0xF0: begin(3, 0x90...0xBF)
    case 0xF1...0xF3: begin(3, 0x80...0xBF)
    case 0xF4: begin(3, 0x80...0x8F)
    default: return false
    }
    return true
  }

  private mutating func begin(_ count: Int, _ next: ClosedRange<UInt8>) {
    missing = count
    range = next
  }
}
