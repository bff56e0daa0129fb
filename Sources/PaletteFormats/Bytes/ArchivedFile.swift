/// A file in a folder or an archive.
public struct ArchivedFile: Hashable, Sendable {
  /// The path in the folder, with `/` between its parts.
  public let path: String
  /// The contents of the file.
  public let bytes: [UInt8]

  /// Creates a file of a folder.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
