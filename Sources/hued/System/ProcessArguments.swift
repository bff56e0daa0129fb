import PaletteNode

/// The arguments behind the name of the program.
enum ProcessArguments {
  /// Reads them; those that are not UTF-8 are refused, since repairing them would change names.
  static func read() throws(APIError) -> [String] {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = CommandLine.unsafeArgv[index] else { break }
      guard let argument = String(validatingCString: pointer) else {
        throw .usage("argument \(index) is not UTF-8")
      }
      arguments.append(argument)
    }
    return arguments
  }
}
