import Testing

@testable import PaletteMerge
@testable import PaletteModel

/// The grammar of a change, frozen: these bytes are what every version writes and reads.
struct ChangeTests {
  static let palette = PaletteID(RecordID(high: 0x1111_1111_1111_4111, low: 0x8111_1111_1111_1111))
  static let record = RecordID(high: 0x2222_2222_2222_4222, low: 0x8222_2222_2222_2222)

  static let add = Change(
    dot: Dot(NodeID(0x0102_0304_0506_0708), 1),
    stamp: Stamp(milliseconds: 1_700_000_000_000, counter: 5),
    previous: 0,
    record: record,
    kind: .add,
    writes: [
      Change.Write(.name, value: RegisterValue(text: "Sea")),
      Change.Write(.color, value: RegisterValue(color: Color(.srgb, 0, 0.4, 1))),
      Change.Write(.place, value: RegisterValue(placeBytes: [0x80, 0, 0, 1, 2, 3, 1, 0x80, 0])),
    ]
  )
  static let addHex = """
    8287 1b0102030405060708 01 1b018bcfe568000005 480000000000000000
    5022222222222242228222222222222222 00 a3 00 80 01 80 02 80
    83 63536561 430066ff 49800000010203018000
    """

  static let recolor = Change(
    dot: Dot(NodeID(9), 300),
    stamp: Stamp(milliseconds: 1_700_000_000_001),
    previous: 0xA1A2_A3A4_A5A6_A7A8,
    record: record,
    kind: .set,
    writes: [
      Change.Write(
        .color,
        saw: [
          SeenDot(Dot(NodeID(9), 299)),
          SeenDot(Dot(NodeID(0x0102_0304_0506_0708), 1), proof: 0xCC3D_7AEC),
        ],
        value: RegisterValue(color: Color(.oklch, 0.5, 0.25, nil, alpha: 0.5))
      ),
      Change.Write(
        Register(rawValue: 77),
        value: RegisterValue(encoded: bytes(hex: "a1616b8101"))
      ),
    ]
  )
  static let recolorHex = """
    8287 09 19012c 1b018bcfe568010000 48a1a2a3a4a5a6a7a8
    5022222222222242228222222222222222 01
    a2 01 82 8209 19012b 831b01020304050607080144cc3d7aec 184d 80
    82 8507f93800f93400f6f93800 a1616b8101
    """

  static let delete = Change(
    dot: Dot(NodeID(9), 2),
    stamp: Stamp(milliseconds: 0),
    previous: 1,
    record: record,
    kind: .delete,
    covers: [SeenDot(Dot(NodeID(1), 7), proof: 1)]
  )
  static let deleteHex = """
    8287 09 02 00 480000000000000001 5022222222222242228222222222222222 02 818301074400000001 80
    """

  static let drop = Change(
    dot: Dot(NodeID(9), 3),
    stamp: Stamp(milliseconds: 1),
    previous: 2,
    record: palette.record,
    kind: .drop,
    covers: [SeenDot(Dot(NodeID(1), 1), proof: 2)],
    frontier: [SeenDot(Dot(NodeID(1), 7), proof: 0xFFFF_FFFE), SeenDot(Dot(NodeID(9), 2))]
  )
  static let dropHex = """
    8287 09 03 1a00010000 480000000000000002 5011111111111141118111111111111111 04
    82 818301014400000002 a2 01820744fffffffe 0902 80
    """

  @Test(arguments: [(add, addHex), (recolor, recolorHex), (delete, deleteHex), (drop, dropHex)])
  func hasOneEncoding(change: Change, expected: String) throws {
    #expect(change.encoded.hex == expected.filter { !$0.isWhitespace })
    #expect(try Change(decoding: bytes(hex: expected), in: Self.palette) == change)
    for length in 0..<change.encoded.count {
      #expect(throws: MalformedChange.self) {
        try Change(decoding: Array(change.encoded.prefix(length)), in: Self.palette)
      }
    }
  }

  @Test func hashesPaletteAndBytes() {
    let hash = ChangeHash(of: Self.add.encoded, in: Self.palette)
    #expect(hash.link.hexDigits + hash.rest.hexDigits == "cc3d7aec6a4690eb2bf150745557ddd9")
  }

  /// Each is the add above with one thing wrong.
  @Test(arguments: [
    ("trailing byte", addHex + "00"),
    ("sequence 0", addHex.replacing("0708 01 1b", with: "0708 00 1b")),
    ("sequence too large", addHex.replacing("0708 01 1b", with: "0708 1b0000000100000000 1b")),
    ("longer number", addHex.replacing("0708 01 1b", with: "0708 1801 1b")),
    ("unknown kind", addHex.replacing("2222 00 a3", with: "2222 05 a3")),
    ("registers out of order", addHex.replacing("00 80 01 80", with: "01 80 00 80")),
    ("register twice", addHex.replacing("00 80 01 80", with: "00 80 00 80")),
    ("missing value", addHex.replacing("83 63536561", with: "82")),
    ("name no text", addHex.replacing("63536561", with: "43536561")),
    ("name with a control character", addHex.replacing("63536561", with: "63530761")),
    ("name with a newline", addHex.replacing("63536561", with: "63530a61")),
    ("invalid UTF-8", addHex.replacing("63536561", with: "6353ff61")),
    ("opaque alpha spelled out", addHex.replacing("430066ff", with: "440066ffff")),
    ("8-bit color as floats", addHex.replacing("430066ff", with: "8400f90000f90000f90000")),
    ("unknown space", addHex.replacing("430066ff", with: "84181ff93800f90000f90000")),
    ("infinite component", addHex.replacing("430066ff", with: "8407f97c00f90000f90000")),
    ("empty place", addHex.replacing("49800000010203018000", with: "40")),
    ("saw itself", addHex.replacing("00 80 01", with: "00 81821b010203040506070801 01")),
    ("saw the future", addHex.replacing("00 80 01", with: "00 81821b010203040506070802 01")),
    ("saw sequence 0", addHex.replacing("00 80 01", with: "00 818305004400000000 01")),
    (
      "saw out of order",
      addHex.replacing("00 80 01", with: "00 8283050144000000008304014400000000 01")
    ),
    ("no register", "8287 05 01 00 480000000000000000 5022222222222242228222222222222222 00 a0 80"),
    (
      "delete of the palette",
      deleteHex.replacing("502222222222224222822222", with: "501111111111114111811111").replacing(
        "2222222222 02",
        with: "1111111111 02"
      )
    ),
    (
      "drop of a color",
      dropHex.replacing("501111111111114111811111", with: "502222222222224222822222").replacing(
        "1111111111 04",
        with: "2222222222 04"
      )
    ),
    (
      "frontier out of order",
      dropHex.replacing("01820744fffffffe 0902", with: "0902 01820744fffffffe")
    ),
    ("cover without a proof", deleteHex.replacing("8301074400000001", with: "820107")),
    ("proof of three bytes", deleteHex.replacing("4400000001", with: "43000001")),
    ("proof of five bytes", deleteHex.replacing("4400000001", with: "450000000001")),
    ("proof as a number", deleteHex.replacing("4400000001", with: "01")),
    ("proof of an own dot", recolorHex.replacing("8209 19012b", with: "8309 19012b 4400000000")),
    ("frontier without a proof", dropHex.replacing("01820744fffffffe", with: "0107")),
    ("frontier with an own proof", dropHex.replacing("0902 80", with: "09820244fffffffe 80")),
    ("frontier with one item", dropHex.replacing("01820744fffffffe", with: "018107")),
    ("empty", ""),
  ])
  func refusesEverythingElse(name: String, hex: String) {
    #expect(throws: MalformedChange.self, "\(name)") {
      try Change(decoding: bytes(hex: hex), in: Self.palette)
    }
  }

  @Test func refusesADropThatSawSequenceZero() {
    var change = Self.drop
    change.frontier = [SeenDot(Dot(NodeID(9), 0))]
    #expect(throws: MalformedChange.self) {
      try Change(decoding: change.encoded, in: Self.palette)
    }
  }

  @Test func keepsTheLimits() throws {
    func check(_ register: Register, _ value: RegisterValue) throws {
      var change = Self.add
      change.writes = [Change.Write(register, value: value)]
      #expect(try Change(decoding: change.encoded, in: Self.palette) == change)
    }
    let name = String(repeating: "n", count: 16 * 1024)
    try check(.name, RegisterValue(text: name))
    try check(.note, RegisterValue(text: "two\nlines"))
    try check(.place, RegisterValue(placeBytes: [UInt8](repeating: 7, count: 1024)))
    #expect(throws: MalformedChange.self) { try check(.name, RegisterValue(text: name + "n")) }
    #expect(throws: MalformedChange.self) {
      try check(.place, RegisterValue(placeBytes: [UInt8](repeating: 7, count: 1025)))
    }
    #expect(throws: MalformedChange.self) {
      let large = [UInt8](repeating: 7, count: 61_440)
      try check(Register(rawValue: 9), RegisterValue(placeBytes: large))
    }
  }

  @Test func surviveColorsOfEverySpace() throws {
    for space in ColorSpace.allCases {
      for color in [
        Color(space, 0.1, nil, -3.25), Color(space, 1, 0.5, 0.25, alpha: 0.3),
        Color(space, 0, 0, 0, alpha: nil), Color(space, 1, 1, 0, alpha: 128.0 / 255),
      ] {
        #expect(RegisterValue(color: color).color == color)
      }
    }
  }
}
