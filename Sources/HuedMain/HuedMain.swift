import hued

/// The program `hued`, apart from its library so that tests and the fuzzer can link that.
@main
enum HuedMain {
  static func main() {
    Hued.main()
  }
}
