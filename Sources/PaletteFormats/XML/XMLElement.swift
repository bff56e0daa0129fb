/// An element of an XML document; names are without their prefix.
struct XMLElement {
  /// The name.
  let name: String
  /// The attributes in order.
  let attributes: [(name: String, value: String)]
  /// The line that it begins on.
  let line: Int
  /// The range of its start tag in the bytes of the document.
  let tag: Range<Int>
  /// The end of the element.
  var end = 0
  /// The elements in it.
  var children: [XMLElement] = []
  /// The text in it, without that of its children.
  var text = ""

  /// The place of the element, for messages.
  var place: String { "line \(line)" }

  /// The value of the first attribute that has one of these names, in either case.
  subscript(names: String...) -> String? {
    for name in names {
      let attribute = attributes.first { $0.name.lowercased() == name.lowercased() }
      if let attribute { return attribute.value }
    }
    return nil
  }

  /// The elements of a name anywhere in it, in the order of the document.
  func descendants(_ name: String) -> [XMLElement] {
    var found: [XMLElement] = []
    for child in children {
      if child.name == name { found.append(child) }
      found += child.descendants(name)
    }
    return found
  }
}

extension String {
  /// The text as content or attribute value of XML; what XML cannot hold is left out.
  var escapedForXML: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n": escaped += "&#10;"
      case "\t", "\u{20}"..."\u{FFFD}", "\u{10000}"...: escaped.unicodeScalars.append(scalar)
      default: break
      }
    }
    return escaped
  }
}
