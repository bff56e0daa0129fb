/// Why a list of named colors, or a diff, cannot be used.
public struct PaletteDiffError: Error, Hashable, Sendable {
  /// The kinds of refusal.
  public enum Code: String, Hashable, Sendable {
    /// One id stands twice in a list.
    case duplicateID = "duplicate-id"
    /// No named color of the list has the id.
    case unknownID = "unknown-id"
    /// An index lies outside its list, or two steps claim the same one.
    case badIndex = "bad-index"
    /// Another record stands where the diff expects the id.
    case wrongID = "wrong-id"
  }

  /// What is wrong.
  public let code: Code
  /// The record concerned, if one is.
  public let id: RecordID?
  /// The index concerned, if one is.
  public let index: Int?

  /// Creates an error from its evidence.
  public init(_ code: Code, id: RecordID? = nil, index: Int? = nil) {
    self.code = code
    self.id = id
    self.index = index
  }
}

extension PaletteDiffError: CustomStringConvertible {
  /// The error as a sentence without a full stop.
  public var description: String {
    let subject = id.map { "color \($0)" } ?? "a color"
    let position = index.map { " at index \($0)" } ?? ""
    return switch code {
    case .duplicateID: "\(subject) stands twice in the list\(position)"
    case .unknownID: "\(subject) is not in the list"
    case .badIndex: "the diff has no room for \(subject)\(position)"
    case .wrongID: "another color than \(subject) stands\(position)"
    }
  }
}
