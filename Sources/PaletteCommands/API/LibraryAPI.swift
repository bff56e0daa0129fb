public import PaletteJSON

/// Answers the commands of one library, in this process or through a running node.
public protocol LibraryAPI {
  /// Answers one request.
  ///
  /// - Throws: an error whose code tells programs what went wrong.
  func call(_ request: Request) throws(APIError) -> any Answer
}

/// One call of the API: the name of a command and its arguments by name.
public struct Request: Sendable, Equatable {
  /// The name of the command.
  public let method: String
  /// The arguments: an object, without those that were not given.
  public let parameters: JSON

  /// Creates a request.
  public init(method: String, parameters: JSON = [:]) {
    self.method = method
    self.parameters = parameters
  }
}

/// The place where a library and its settings are.
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
