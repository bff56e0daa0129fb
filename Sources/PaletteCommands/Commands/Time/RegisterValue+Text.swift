internal import PaletteMerge
internal import PaletteModel

extension RegisterValue {
  /// The value of a register as people read it: a text, a CSS color, a place in hexadecimal digits.
  ///
  /// What this version does not understand is shown as its bytes, in hexadecimal digits too.
  func text(of register: Register) -> String {
    let known: String? =
      switch register {
      case .color: color?.css
      case .place: placeBytes?.hexDigits
      default: register.isKnown ? text : nil
      }
    return known ?? encoded.hexDigits
  }

  /// The value of a register that a person wrote as text; nil when it cannot be one.
  init?(_ register: Register, parsing text: String) {
    switch register {
    case .name: self.init(text: text.trimmed)
    case .color:
      guard let color = try? Color(css: text) else { return nil }
      self.init(color: color)
    default:
      guard Register.optional.contains(register) else { return nil }
      self.init(text: text)
    }
  }
}
