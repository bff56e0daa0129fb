internal import PaletteNode

/// The numbers of a hub.
struct FleetNumbers {
  /// The entries that a library has appended.
  private struct Appended {
    var groups = 0
    var bytes = 0
  }

  var opened = 0
  var takenOver = 0
  var fenced = 0
  var doubts = 0
  var lostTails = 0
  private var all = Appended()
  private var times = Histogram()
  private var libraries: [String: Appended] = [:]

  /// The most libraries that are counted by name.
  private static let namedLimit = 100

  /// Counts a group of edits that is in the log.
  ///
  /// - Parameters:
  ///   - bytes: Its size there.
  ///   - time: The time for which it was waited.
  ///   - name: The name of its library.
  mutating func appended(_ bytes: Int, in time: Duration, to name: String) {
    times.record(time)
    Self.count(bytes, in: &all)
    if libraries[name] != nil || libraries.count < Self.namedLimit {
      Self.count(bytes, in: &libraries[name, default: Appended()])
    }
  }

  private static func count(_ bytes: Int, in appended: inout Appended) {
    appended.groups += 1
    appended.bytes += bytes
  }

  /// The numbers in the text form of Prometheus.
  func text(owned: Int, open: Int, images: Int, isUp: Bool) -> String {
    let numbers: [(name: String, kind: MetricsText.Kind, help: String, value: Int)] = [
      ("owned_libraries", .gauge, "Libraries that this hub has or is taking.", owned),
      ("open_libraries", .gauge, "Libraries that are open here.", open),
      ("opened_total", .counter, "Openings of a library.", opened),
      ("taken_over_total", .counter, "Libraries taken from a hub that was dead.", takenOver),
      ("fenced_total", .counter, "Libraries that another hub had taken.", fenced),
      ("doubts_total", .counter, "Appends whose outcome was not known.", doubts),
      ("lost_tails_total", .counter, "Ends of libraries that the database had lost.", lostTails),
      ("images_total", .counter, "Images made of libraries.", images),
      ("database_up", .gauge, "Whether the database answers beats.", isUp ? 1 : 0),
      ("appends_total", .counter, "Groups of edits in the log.", all.groups),
      ("append_bytes_total", .counter, "Their size in the log.", all.bytes),
    ]
    var text = MetricsText()
    for number in numbers {
      text.add(number.kind, "hued_fleet_" + number.name, number.help, number.value)
    }
    text.add(
      "hued_fleet_append_seconds",
      "The time for which a group waited for the database.",
      [(labels: [], histogram: times)]
    )
    let names = libraries.keys.sorted()
    func samples(_ value: (Appended) -> Int) -> [MetricsText.Sample] {
      names.map { .init("library", $0, value(libraries[$0] ?? Appended())) }
    }
    text.add(
      .counter,
      "hued_fleet_library_appends_total",
      "Groups of edits by library, of the first \(Self.namedLimit) that wrote here.",
      samples(\.groups)
    )
    text.add(
      .counter,
      "hued_fleet_library_append_bytes_total",
      "Their size in the log, by library.",
      samples(\.bytes)
    )
    return text.text
  }
}
