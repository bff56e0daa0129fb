/// The numbers of a hub.
struct FleetNumbers {
  var opened = 0
  var takenOver = 0
  var fenced = 0
  var doubts = 0
  var lostTails = 0
  var images = 0

  /// The numbers in the text form of Prometheus.
  func text(owned: Int, open: Int, isUp: Bool) -> String {
    let lines: [(name: String, kind: String, help: String, value: Int)] = [
      ("owned_libraries", "gauge", "Libraries that this hub has or is taking.", owned),
      ("open_libraries", "gauge", "Libraries that are open here.", open),
      ("opened_total", "counter", "Openings of a library.", opened),
      ("taken_over_total", "counter", "Libraries taken from a hub that was dead.", takenOver),
      ("fenced_total", "counter", "Libraries that another hub had taken.", fenced),
      ("doubts_total", "counter", "Appends whose outcome was not known.", doubts),
      ("lost_tails_total", "counter", "Files that were ahead of the database.", lostTails),
      ("images_total", "counter", "Images made of libraries.", images),
      ("database_up", "gauge", "Whether the database answers beats.", isUp ? 1 : 0),
    ]
    return lines.map { line in
      """
      # HELP hued_fleet_\(line.name) \(line.help)
      # TYPE hued_fleet_\(line.name) \(line.kind)
      hued_fleet_\(line.name) \(line.value)

      """
    }.joined()
  }
}
