internal import PaletteModel

/// Names of colors as identifiers of other languages, each one different from those before.
struct FileNames {
  /// The spelling of a name of several words in a language.
  enum Style {
    /// `brand-blue`, with letters of any script.
    case dashes
    /// `brand_blue`, with nothing but ASCII.
    case underscores
    /// `brandBlue`, with nothing but ASCII.
    case camelCase

    /// The text before a number that tells two names apart.
    fileprivate var separator: String {
      switch self {
      case .dashes: "-"
      case .underscores: "_"
      case .camelCase: ""
      }
    }
  }

  private let style: Style
  private var taken: Set<String>

  init(_ style: Style, besides taken: Set<String> = []) {
    self.style = style
    self.taken = taken
  }

  /// The identifier for a name; a number follows where another color has it.
  mutating func identifier(for name: String) -> String {
    let identifier = Self.free(for: name, style) { !taken.contains($0) }
    taken.insert(identifier)
    return identifier
  }

  /// The first identifier for a name that is free.
  static func free(for name: String, _ style: Style, _ isFree: (String) -> Bool) -> String {
    let first = identifier(for: name, style)
    var identifier = first
    var number = 2
    while !isFree(identifier) {
      identifier = first + style.separator + String(number)
      number += 1
    }
    return identifier
  }

  /// The word for a name, whether or not it is free.
  static func identifier(of name: String) -> String { identifier(for: name, .dashes) }

  /// Returns whether an identifier may have been made for a name.
  static func isIdentifier(_ identifier: some StringProtocol, of name: String, _ style: Style)
    -> Bool
  {
    let plain = self.identifier(for: name, style)
    guard identifier.hasPrefix(plain) else { return false }
    let rest = identifier.dropFirst(plain.count)
    return rest.isEmpty || (rest.dropFirst().allSatisfy(\.isNumber) && rest.count > 1)
  }

  private static func identifier(for name: String, _ style: Style) -> String {
    var words: [String] = []
    var isInWord = false
    for scalar in name.lowercasedOutsideCamelCase(style).unicodeScalars {
      let isASCII =
        ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar)
        || ("A"..."Z").contains(scalar)
      let counts =
        isASCII || (style == .dashes && scalar.properties.isAlphabetic && !scalar.isASCII)
      if counts, !isInWord { words.append("") }
      if counts { words[words.count - 1].unicodeScalars.append(scalar) }
      isInWord = counts
    }
    guard let first = words.first?.unicodeScalars.first else { return "color" }
    if ("0"..."9").contains(first) { words.insert("color", at: 0) }
    switch style {
    case .dashes: return words.joined(separator: "-")
    case .underscores: return words.joined(separator: "_")
    case .camelCase:
      let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
      return words[0].prefix(1).lowercased() + words[0].dropFirst() + rest.joined()
    }
  }
}

extension String {
  fileprivate func lowercasedOutsideCamelCase(_ style: FileNames.Style) -> String {
    style == .camelCase ? self : lowercased()
  }
}
