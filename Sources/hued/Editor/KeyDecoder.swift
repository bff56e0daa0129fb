/// A person's input at a terminal.
enum TerminalInput: Equatable {
  case character(Character)
  case enter, escape, tab, backspace, delete
  case up, down, left, right
  case pageUp, pageDown, home, end
  /// A letter with the control key, lower case.
  case control(Character)
  /// A press of the mouse, from 0.
  case press(row: Int, column: Int)
  case wheelUp, wheelDown
  /// A text that came in one piece.
  case paste(String)
}

/// Makes keys of the bytes of a terminal; what is cut in the middle waits for the rest.
struct KeyDecoder {
  /// A paste may be longer than any name; what is beyond this is left out.
  private static let pasteLimit = 64 * 1024

  private var rest: [UInt8] = []
  /// The paste that has begun; nil outside of one.
  private var pasted: [UInt8]?

  /// True if an escape is held back that may be the key, or the begin of another one.
  var isWaiting: Bool { rest.first == 0x1B && pasted == nil }

  /// Takes in bytes.
  ///
  /// - Parameters:
  ///   - bytes: What came.
  ///   - isAll: Whether nothing came for a while, so that an escape is the key of that name.
  /// - Returns: The inputs that are whole.
  mutating func inputs(_ bytes: [UInt8], isAll: Bool = false) -> [TerminalInput] {
    rest += bytes
    var inputs: [TerminalInput] = []
    while !rest.isEmpty {
      if pasted != nil {
        guard let input = paste() else { break }
        inputs.append(input)
        continue
      }
      guard let (input, count) = next(isAll: isAll) else { break }
      rest.removeFirst(min(max(1, count), rest.count))
      if let input { inputs.append(input) }
    }
    return inputs
  }

  /// The paste, once its end is there.
  private mutating func paste() -> TerminalInput? {
    let end = Array("\u{1B}[201~".utf8)
    guard let index = rest.indices.first(where: { rest[$0...].starts(with: end) }) else {
      // A part of the end may be the last that came.
      let sure = max(0, rest.count - end.count + 1)
      let kept = min(sure, Self.pasteLimit - (pasted?.count ?? 0))
      pasted?.append(contentsOf: rest.prefix(kept))
      rest.removeFirst(sure)
      return nil
    }
    let room = Self.pasteLimit - (pasted?.count ?? 0)
    let whole = (pasted ?? []) + rest[..<index].prefix(max(0, room))
    rest.removeFirst(index + end.count)
    pasted = nil
    return .paste(String(decoding: whole, as: UTF8.self))
  }

  /// The first input and its length; nil while more has to come.
  private mutating func next(isAll: Bool) -> (TerminalInput?, Int)? {
    let byte = rest[0]
    switch byte {
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 0x1B: return escape(isAll: isAll)
    case ..<0x20: return (.control(Character(UnicodeScalar(byte | 0x60))), 1)
    case ..<0x80: return (.character(Character(UnicodeScalar(byte))), 1)
    default:
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      guard rest.count >= length || isAll else { return nil }
      let text = String(validating: rest.prefix(length), as: UTF8.self)
      return (text?.first.map { .character($0) }, text == nil ? 1 : length)
    }
  }

  private mutating func escape(isAll: Bool) -> (TerminalInput?, Int)? {
    guard rest.count > 1 else { return isAll ? (.escape, 1) : nil }
    guard rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else { return (.escape, 1) }
    let parameters = rest[2...].prefix { (0x20..<0x40).contains($0) }
    guard parameters.endIndex < rest.count else {
      // No key has as many parameters as that.
      return isAll || parameters.count > 32 ? (nil, rest.count) : nil
    }
    let last = Character(UnicodeScalar(rest[parameters.endIndex]))
    let length = parameters.endIndex + 1
    let code = String(decoding: parameters, as: UTF8.self)
    if code.hasPrefix("<") { return (mouse(code.dropFirst(), isPress: last == "M"), length) }
    if code == "200", last == "~" {
      pasted = []
      return (nil, length)
    }
    return (Self.named[code + String(last)], length)
  }

  /// A report of the mouse in the form that has no limit of columns.
  private func mouse(_ code: Substring, isPress: Bool) -> TerminalInput? {
    let numbers = code.split(separator: ";").compactMap { Int($0) }
    guard isPress, numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    switch numbers[0] {
    case 0: return .press(row: numbers[2] - 1, column: numbers[1] - 1)
    case 64: return .wheelUp
    case 65: return .wheelDown
    default: return nil
    }
  }

  /// The sequences that terminals send after the escape for keys without a letter.
  private static let named: [String: TerminalInput] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "1~": .home,
    "4~": .end, "7~": .home, "8~": .end, "3~": .delete, "5~": .pageUp, "6~": .pageDown,
  ]
}
