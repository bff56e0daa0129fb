/// Numbers in the text format that Prometheus reads.
struct MetricsText {
  /// What kind of number it is.
  enum Kind: String {
    case counter
    case gauge
  }

  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// What has been written.
  private(set) var text = ""

  /// Writes one number, with its name and meaning.
  mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Double) {
    add(kind, name, help, [("", value)])
  }

  /// Writes the numbers of one name, each with its label, such as `kind="rpc"`.
  mutating func add(
    _ kind: Kind,
    _ name: String,
    _ help: String,
    _ values: [(label: String, value: Double)]
  ) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for (label, value) in values {
      let number = Int(exactly: value).map(String.init) ?? String(value)
      text += "\(name)\(label.isEmpty ? "" : "{\(label)}") \(number)\n"
    }
  }
}
