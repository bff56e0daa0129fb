/// The tokens of CSS Syntax 3 that a color can be made of.
///
/// Identifiers, function names and units are in lower case, with escapes resolved.
enum CSSToken: Hashable, Sendable {
  case identifier(String)
  /// A name with its opening parenthesis.
  case function(String)
  /// What follows `#`.
  case hash(String)
  case number(Double)
  case percentage(Double)
  case dimension(Double, unit: String)
  case comma
  case slash
  case close
  case end
  /// Anything that no color contains.
  case other(String)

  /// The token as it may appear in a message.
  var text: String {
    switch self {
    case .identifier(let name): name
    case .function(let name): "\(name)("
    case .hash(let name): "#\(name)"
    case .number(let value): value.cssText
    case .percentage(let value): "\(value.cssText)%"
    case .dimension(let value, let unit): "\(value.cssText)\(unit)"
    case .comma: ","
    case .slash: "/"
    case .close: ")"
    case .end: "the end"
    case .other(let text): text
    }
  }
}
