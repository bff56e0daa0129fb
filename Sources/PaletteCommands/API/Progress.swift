package import PaletteJSON

/// The progress of long work, for a person who waits for it.
public struct Progress: Equatable, Sendable {
  /// The unit that is counted.
  public enum Unit: String, Sendable, CaseIterable {
    case bytes
    case changes
    case colors
    case files
    case pages
    case palettes
  }

  /// The work in progress, such as `Importing`; empty if only the passing of time is known.
  public let work: String
  /// The unit that is counted; nil if there is nothing to count.
  public let unit: Unit?
  /// The number that is done.
  public let done: Int
  /// Their number in all; nil where nobody knows.
  public let total: Int?

  /// States how far some work is.
  public init(_ work: String, _ unit: Unit? = nil, done: Int = 0, of total: Int? = nil) {
    self.work = work
    self.unit = unit
    self.done = done
    self.total = total
  }

  /// The same for things that need no counting where there is one.
  static func counting(_ work: String, _ unit: Unit, done: Int, of total: Int) -> Progress {
    total > 1 ? Progress(work, unit, done: done, of: total) : Progress(work)
  }
}

extension Progress {
  /// Reads what a node says of its work.
  package init(_ document: JSON) {
    self.init(
      document["work"].stringValue ?? "",
      document["unit"].stringValue.flatMap(Unit.init),
      done: document["done"].intValue ?? 0,
      of: document["total"].intValue
    )
  }

  /// The same as a node says it to whoever waits for a call.
  package var members: [(key: String, value: JSON)] {
    [
      ("work", .string(work)), ("unit", unit.map { .string($0.rawValue) } ?? .null),
      ("done", JSON(done)), ("total", total.map { JSON($0) } ?? .null),
    ]
  }
}

/// Receives the progress of long work, and throws `interrupted` when the work is to end.
public typealias ProgressReport = (Progress) throws(APIError) -> Void

extension APIError {
  /// The user does not want to wait any longer.
  public static let interrupted = APIError(code: "interrupted", message: "interrupted")

  /// The same with what that means for the work.
  package static func interrupted(_ consequence: String, hint: String? = nil) -> APIError {
    APIError(code: "interrupted", message: "interrupted: \(consequence)", hint: hint)
  }
}
