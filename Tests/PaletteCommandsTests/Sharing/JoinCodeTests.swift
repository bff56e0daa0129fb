import PaletteMerge
import PaletteModel
import Testing

@testable import PaletteCommands

struct JoinCodeTests {
  private static func code(_ addresses: [String], name: String? = nil) -> JoinCode {
    JoinCode(
      addresses: addresses,
      secret: (0..<16).map { UInt8($0 * 16 + 3) },
      pin: (0..<16).map { UInt8(255 - $0) },
      grant: Grant(.editor, on: name == nil ? nil : PaletteID(RecordID(high: .max, low: 7))),
      library: RecordID(high: 1, low: 2),
      paletteName: name
    )
  }

  private static let usual = code(["https://192.168.178.123:54833"], name: "Twenty letters exact")

  /// Each address is dialed, side by side, and whoever made the code may be a stranger.
  @Test func hasAFewAddresses() throws {
    for count in [1, JoinCode.addressLimit] {
      let code = Self.code((0..<count).map { "https://127.0.0.1:\($0 + 1)" })
      #expect(try JoinCode(code.text) == code)
    }
    for count in [0, JoinCode.addressLimit + 1] {
      let text = Self.code((0..<count).map { "https://127.0.0.1:\($0 + 1)" }).text
      #expect(throws: APIError.self) { try JoinCode(text) }
    }
  }

  @Test(arguments: [
    "https://192.168.178.123:54833", "http://127.0.0.1:4833", "https://10.0.0.1:4833",
    "https://desk.lan:1",
    "https://[fe80::1]:4833", "https://1.2.3.04:5", "https://1.2.3:5", "https://a.example/l/studio",
    "x",
  ])
  func keepsAnyAddress(_ address: String) throws {
    #expect(try JoinCode(Self.code([address]).text).addresses == [address])
    let both = Self.code([address, "https://1.2.3.4:5"], name: "Ä")
    #expect(try JoinCode(both.text) == both)
  }

  @Test func isShort() {
    #expect(Self.usual.paletteName?.count == 20)
    #expect(Self.usual.text.utf8.count <= 140)
    let long = Self.code(["https://1.2.3.4:5"], name: String(repeating: "ä", count: 1_000))
    #expect(long.text.utf8.count < 200, "a long name is cut")
  }

  private static func folded(_ text: String, at width: Int, with separator: String) -> String {
    var lines: [Substring] = []
    var rest = text[...]
    while !rest.isEmpty {
      lines.append(rest.prefix(width))
      rest = rest.dropFirst(width)
    }
    return lines.joined(separator: separator)
  }

  private static let wrappings: [@Sendable (String) -> String] = [
    { " \($0)\n" }, { "\"\($0)\"." }, { "'\($0)'" }, { "`\($0)`" }, { "“\($0)”," }, { "«\($0)»!" },
    { "\u{FEFF}\($0)" }, { "hued join \($0)" }, { "$ hued join \($0)\r\n" }, { "<\($0)>" },
    { "(\($0))" },
    { "https://desk.lan:4833/#\($0)" }, { "**\($0)**" }, { "```\n\($0)\n```" },
    { folded($0, at: 70, with: "\n") }, { folded($0, at: 72, with: "\r\n") },
    { folded($0, at: 20, with: "\n> ") }, { folded($0, at: 5, with: " ") },
    { folded($0, at: 1, with: " ") },
    { folded($0, at: 40, with: "\u{200B}") }, { folded($0, at: 33, with: "\u{AD}") },
    { folded($0, at: 60, with: "=\n") }, { $0.replacing("-", with: "–") }, { "H" + $0.dropFirst() },
    { $0 + " thanks, Ann" }, { $0 + "\n\nSent from my phone" },
  ]

  /// Mails, chats and keyboards fold, quote and decorate.
  @Test(arguments: JoinCodeTests.wrappings.indices)
  func survivesBeingPasted(_ index: Int) throws {
    for code in [Self.usual, Self.code(["https://1.2.3.4:5"])] {
      let text = Self.wrappings[index](code.text)
      #expect(try JoinCode(text) == code, "\(text)")
    }
  }

  private func refusal(_ text: String) -> APIError? {
    do {
      _ = try JoinCode(text)
      return nil
    } catch {
      return error
    }
  }

  @Test func tellsWhatIsWrong() {
    let text = Self.usual.text
    for length in "hued1-".count..<text.count {
      let error = refusal(String(text.prefix(length)))
      #expect(error?.code == "bad-code" && error?.message.contains("cut off") == true, "\(length)")
    }
    for index in text.indices.dropFirst(20) {
      var mistyped = text
      mistyped.replaceSubrange(index...index, with: text[index] == "x" ? "y" : "x")
      let error = refusal(mistyped)
      #expect(error?.code == "bad-code" && error?.message.contains("mistyped") == true)
    }
    for text in ["", "Brand", "hued", "hued_0123", "no code", String(repeating: "a", count: 140)] {
      #expect(refusal(text)?.message == "this is no join code", "\(text)")
    }
    let page = refusal("http://127.0.0.1:4833/#0123456789abcdef")
    #expect(page?.message.contains("page") == true && page?.code == "bad-value")
  }
}
