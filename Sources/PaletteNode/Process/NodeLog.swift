public import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore

/// A line of a node's log.
public struct NodeLog: Sendable {
  /// The importance of a line.
  public enum Level: String, Comparable, Sendable {
    /// Something failed.
    case error
    /// Something is not as it should be, and the node goes on.
    case warning
    /// Events that a person who looks after the node wants to know.
    case info
    /// Every connection.
    case debug

    private var rank: Int {
      switch self {
      case .error: 0
      case .warning: 1
      case .info: 2
      case .debug: 3
      }
    }

    /// Orders levels from the gravest.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
  }

  /// The time of the event, as ISO 8601.
  public let time: String
  /// The importance of the line.
  public let level: Level
  /// The kind of event: one of a few words that stay the same.
  public let event: String
  /// The event in words, on one line and without secrets.
  public let message: String
  /// The particulars.
  public let fields: [(key: String, value: JSON)]

  init(
    _ level: Level,
    _ event: LogEvent,
    _ message: String,
    _ fields: [(key: String, value: JSON)] = []
  ) {
    time = Moment(milliseconds: systemMilliseconds()).description
    self.level = level
    self.event = event.rawValue
    // A message has words of others in it, and a field may be nothing else.
    self.message = SafeText.line(message)
    self.fields = fields.map { field in
      (field.key, field.value.stringValue.map { JSON(SafeText.line($0)) } ?? field.value)
    }
  }
}
