extension StringProtocol {
  /// True when the text has a C0, DEL or C1 control character, newlines apart where they may stand.
  package func hasControlCharacter(allowingNewlines: Bool) -> Bool {
    unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0A: !allowingNewlines
      case 0..<0x20, 0x7F..<0xA0: true
      default: false
      }
    }
  }
}
