import PaletteCommands
import PalettePlatform

/// The program `hued-fleet`, which is installed apart since it needs libpq.
enum FleetLauncher {
  /// Becomes the program, from beside this one or from the search path; returns where there is none.
  ///
  /// - Parameter arguments: The arguments behind `fleet`.
  /// - Returns: The error for whoever asked for it.
  static func become(_ arguments: [String]) -> APIError {
    let name = "hued-fleet"
    for path in [beside(name), name].compactMap(\.self) {
      var words = ([path] + arguments).map { word in strdup(word) } + [nil]
      execvp(path, &words)
      for word in words { free(word) }
    }
    return APIError(
      code: "not-found",
      message: "hued-fleet is not installed here",
      hint: "install libpq-dev, then build it: "
        + "'swift build --configuration release --product hued-fleet'"
    )
  }

  /// The path of a program in the folder of this one; nil where the system does not say where that is.
  private static func beside(_ name: String) -> String? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let path = String(cString: own)
    guard let slash = path.lastIndex(of: "/") else { return nil }
    return path[...slash] + name
  }
}
