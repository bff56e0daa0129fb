import PaletteJSON

extension FuzzTarget {
  static let json = FuzzTarget(
    name: "json",
    summary: "a JSON document",
    words: ["true", "false", "null", "\\u00e9", "\\ud83d\\ude00", "1e308", "-0", "0.1", "\\\""],
    seeds: {
      [
        #"{"a":[1,-2.5e3,true,false,null,"x\n\u00e9\ud83d\ude00"],"b":{}}"#, "[]", " 1 ", "\"\"",
        "9223372036854775807", "-9223372036854775808", "1e-320", "[[[[]]]]", "{\"a\":1,\"a\":2}",
      ].map { Array($0.utf8) }
    },
    check: { bytes in
      guard
        let value = try accepted(bytes, { () throws(JSONParseError) in try JSON(parsing: bytes) })
      else { return }
      let written = value.bytes
      let read = try JSON(parsing: written)
      try ensure(read == value, "written and read, it is another value")
      try ensure(read.bytes == written, "written twice, it differs")
    }
  )
}
