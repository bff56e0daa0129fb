/// The words after a workload's name: options with a number each.
struct BenchArguments {
  private var numbers: [String: Int] = [:]

  init(_ words: ArraySlice<String>) throws(BenchError) {
    var rest = words
    while let option = rest.popFirst() {
      guard option.hasPrefix("-"), let number = rest.popFirst().flatMap({ Int($0) }), number > 0
      else { throw BenchError("an option with a number is missing at '\(option)'") }
      numbers[option] = number
    }
  }

  func number(_ option: String, _ usual: Int) -> Int { numbers[option] ?? usual }
}
