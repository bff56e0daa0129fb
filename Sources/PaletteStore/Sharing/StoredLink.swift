public import PaletteModel

/// A palette file that is bound to a palette.
public struct StoredLink: Hashable, Sendable {
  /// Whether file and palette follow each other.
  public enum State: String, Sendable, CaseIterable {
    /// They do.
    case live
    /// They do not for now; by itself they will again.
    case paused
    /// The file is there and cannot be read as its format.
    case broken
  }

  /// The absolute path of the file, as it was given.
  public let file: String
  /// The palette.
  public let palette: PaletteID
  /// The name of the file's format.
  public let format: String
  /// What the file held last, for whoever keeps the two together; nil before it was read or written.
  public var base: [UInt8]?
  /// Whether they follow each other.
  public var state: State
  /// Why they do not.
  public var error: String?

  /// Creates a link.
  public init(
    file: String,
    palette: PaletteID,
    format: String,
    base: [UInt8]? = nil,
    state: State = .live,
    error: String? = nil
  ) {
    self.file = file
    self.palette = palette
    self.format = format
    self.base = base
    self.state = state
    self.error = error
  }
}
