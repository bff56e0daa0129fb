/// The words after a workload's name: options with a text each, then numbers.
struct WordArguments {
  private var options: [String: String] = [:]
  private(set) var plain: [String] = []

  init(_ words: some Sequence<String>) {
    var option: String?
    for word in words {
      if let name = option {
        options[name] = word
        option = nil
      } else if word.hasPrefix("--") {
        option = word
      } else {
        plain.append(word)
      }
    }
  }

  func text(_ option: String) throws(BenchError) -> String {
    guard let text = options[option] else { throw BenchError("\(option) is missing") }
    return text
  }

  func number(_ option: String) throws(BenchError) -> Int {
    guard let number = Int(try text(option)) else { throw BenchError("\(option) needs a number") }
    return number
  }

  func number(at index: Int, _ what: String) throws(BenchError) -> Double {
    guard plain.indices.contains(index), let number = Double(plain[index]) else {
      throw BenchError("\(what) is missing")
    }
    return number
  }
}
