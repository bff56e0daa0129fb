/// Where a library and its settings are.
public struct LibraryLocation: Equatable, Sendable {
  /// The folder of the library, as an absolute path.
  public let home: String
  /// The file of the settings, as an absolute path.
  public let configurationFile: String

  /// Creates a location.
  public init(home: String, configurationFile: String) {
    self.home = home
    self.configurationFile = configurationFile
  }
}
