import Testing

@testable import PaletteJSON

struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func followsTheStandard(_ plain: String, _ encoded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(plain.utf8))
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zm8", "Zh==", "Zm9=", "Zg==Zg==", "====", "Z===", "Zg= =", "Zm9v\n", " Zm9v",
    "Zm-_",
    "Zm=v", "=m9v",
  ])
  func refuses(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func keepsEveryByte() {
    for count in 0..<520 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }
}
