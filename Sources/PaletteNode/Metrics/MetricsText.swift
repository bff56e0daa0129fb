/// Numbers in the text format that Prometheus reads, version 0.0.4.
///
/// Every family gets its help and its type once, before its samples; one that has no sample now is
/// named all the same, so that whoever writes a rule finds it.
package struct MetricsText {
  /// The kind of number.
  package enum Kind: String {
    case counter
    case gauge
  }

  /// One number, and what tells it from the others of its family.
  package struct Sample {
    let labels: [(name: String, value: String)]
    let value: Double

    /// Makes a sample.
    package init(_ labels: [(name: String, value: String)], _ value: Double) {
      self.labels = labels
      self.value = value
    }

    /// A number with one label.
    package init(_ name: String, _ value: String, _ number: Int) {
      self.init([(name, value)], Double(number))
    }
  }

  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The text written so far.
  package private(set) var text = ""

  /// Begins a text.
  package init() {}

  /// Writes one number, with its name and meaning.
  package mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Double) {
    add(kind, name, help, [Sample([], value)])
  }

  /// Writes one count.
  package mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Int) {
    add(kind, name, help, Double(value))
  }

  /// Writes the numbers of one name.
  package mutating func add(_ kind: Kind, _ name: String, _ help: String, _ samples: [Sample]) {
    begin(name, help, kind.rawValue)
    for sample in samples { line(name, sample.labels, sample.value) }
  }

  /// Writes histograms of one name, each with its labels.
  package mutating func add(
    _ name: String,
    _ help: String,
    _ histograms: [(labels: [(name: String, value: String)], histogram: Histogram)]
  ) {
    begin(name, help, "histogram")
    for (labels, histogram) in histograms {
      for (bound, count) in histogram.cumulative {
        line(name + "_bucket", labels + [("le", Self.number(bound))], Double(count))
      }
      line(name + "_sum", labels, histogram.sum)
      line(name + "_count", labels, Double(histogram.count))
    }
  }

  private mutating func begin(_ name: String, _ help: String, _ type: String) {
    text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(type)\n"
  }

  private mutating func line(
    _ name: String,
    _ labels: [(name: String, value: String)],
    _ value: Double
  ) {
    text += name
    if !labels.isEmpty {
      let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
      text += "{\(pairs.joined(separator: ","))}"
    }
    text += " \(Self.number(value))\n"
  }

  /// A number as the format spells it.
  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int(exactly: value).map(String.init) ?? String(value)
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
