public import PaletteFormats

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
