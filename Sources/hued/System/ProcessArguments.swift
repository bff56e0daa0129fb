import PaletteCommands
import PalettePlatform

/// The arguments behind the name of the program.
enum ProcessArguments {
  /// Reads them; those that are not UTF-8 are refused, since repairing them would change names.
  static func read() throws(APIError) -> [String] {
    var arguments: [String] = []
    for (index, bytes) in try words().enumerated().dropFirst() {
      guard let argument = String(validating: bytes, as: UTF8.self) else {
        throw .usage("argument \(index) is not UTF-8")
      }
      arguments.append(argument)
    }
    return arguments
  }

  /// True if one of them asks for JSON, whatever the others say.
  static var askForJSON: Bool {
    (try? words())?.contains { $0.elementsEqual("--json".utf8) } ?? false
  }

  /// The arguments as bytes, the name of the program first.
  private static func words() throws(APIError) -> [[UInt8]] {
    // Swift (6.3) searches them below the environment, and finds none where a preloaded library,
    // such as faketime's, has moved that.
    guard CommandLine.argc < 1 else {
      return (0..<Int(CommandLine.argc)).compactMap { index in
        CommandLine.unsafeArgv[index].map { pointer in
          Array(
            UnsafeBufferPointer(start: pointer, count: strlen(pointer)).lazy.map {
              UInt8(bitPattern: $0)
            }
          )
        }
      }
    }
    let line = try File.read("/proc/self/cmdline", limit: 16 << 20)
    return line.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
  }
}
