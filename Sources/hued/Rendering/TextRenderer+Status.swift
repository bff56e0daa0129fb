import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteMerge
import PaletteModel

/// The answers of `status` and `peers`, as text.
extension TextRenderer {
  static let peerKeys = [
    "url", "state", "pending", "rttMilliseconds", "clockOffsetMilliseconds", "lastAck", "error",
  ]

  /// The number of palettes a person is shown.
  static let statusLimit = 50

  private static let grantKeys = ["role", "palette", "expires"]

  /// The state of the library and of its peers.
  func status(_ document: JSON?) -> String {
    guard isTerminal else { return statusFields(document) }
    let palettes = document["palettes"].arrayValue ?? []
    let peers = document["peers"].arrayValue ?? []
    var text = verdict(document, peers)
    if let step = nextStep(document, palettes, peers) {
      text += paragraph("Next: \(step)", indent: "      ")
    }
    text += "\n" + facts(statusFacts(document))
    if !palettes.isEmpty { text += "\n" + statusTable(of: palettes, among: peers) }
    let more = (document["totals"]["palettes"].intValue ?? 0) - palettes.count
    if document["more"].boolValue == true, more > 0 {
      text += "and \(count(more, "more palette", "more palettes")): hued palettes\n"
    }
    if !peers.isEmpty { text += "\n" + peerTable(peers) + grantTable(peers, palettes) }
    let members = memberTable(document)
    return members.isEmpty ? text : text + "\n" + members
  }

  private func statusFields(_ document: JSON?) -> String {
    let keys = document.keys.filter { !["palettes", "peers", "totals", "members"].contains($0) }
    let totals = document["totals"].keys.map { key in
      (key: "total-\(key)", value: plain(document["totals"][key]))
    }
    let entries = keys.map { key in
      let list = document[key].arrayValue
      let text = list?.map(plain).joined(separator: key == "reasons" ? "; " : " ")
      return (key: key, value: text ?? plain(document[key]))
    }
    let palettes = (document["palettes"].arrayValue ?? []).map { palette in
      let keys = ["name", "count", "pending", "conflicts", "id", "digest"]
      return fields(["palette"] + keys.map { plain(palette[$0]) })
    }
    let peers = (document["peers"].arrayValue ?? []).map { peer in
      let grants = peer["grants"].arrayValue ?? []
      return fields(["peer"] + Self.peerKeys.map { plain(peer[$0]) })
        + grants.map { grant in
          fields(["grant", plain(peer["url"])] + Self.grantKeys.map { plain(grant[$0]) })
        }.joined()
    }
    return facts(entries + totals) + palettes.joined() + peers.joined() + memberFields(document)
  }

  /// In sync or not, with whom, and why not: what somebody wants to know first.
  func verdict(_ document: JSON?, _ peers: [JSON]) -> String {
    let reasons = document["reasons"].arrayValue ?? []
    let here = whoIsHere(document)
    guard document["inSync"].boolValue == false, !reasons.isEmpty else {
      guard !peers.isEmpty else {
        return here.map { paragraph($0) }
          ?? bold("No peers") + ": no hub is joined, no member let in\n"
      }
      let names = peers.map { SafeText.line(called($0)) }
      return bold("In sync") + " with \(names.joined(separator: ", "))\n"
        + (here.map { paragraph($0) } ?? "")
    }
    return bold("Not in sync") + "\n"
      + reasons.map { paragraph("  " + plain($0), indent: "    ") }.joined()
      + (here.map { paragraph($0) } ?? "")
  }

  /// The name of a peer, or else its address.
  private func called(_ peer: JSON) -> String {
    peer["name"].stringValue ?? plain(peer["url"])
  }

  /// The next step that the state suggests; nil if there is none.
  private func nextStep(_ document: JSON?, _ palettes: [JSON], _ peers: [JSON]) -> String? {
    let isRunning = document["running"].boolValue == true
    if let peer = peers.first(where: { $0["state"].stringValue == "refused" }) {
      return "what you do waits here; ask \(called(peer)) for a new code, then 'hued join CODE'"
    }
    if !peers.isEmpty, !isRunning {
      return "'hued serve' keeps this library in sync, 'hued sync' does it once"
    }
    if conflicts(in: document, palettes) > 0 {
      return "'hued conflicts' shows what was written at the same time"
    }
    if let peer = peers.first(where: { $0["state"].stringValue != "live" }) {
      return "nothing to do: what you do waits here until \(called(peer)) is back"
    }
    guard peers.isEmpty else { return nil }
    if palettes.isEmpty {
      return "make a palette with 'hued new NAME', or join with 'hued join CODE'"
    }
    if whoIsHere(document) != nil { return nil }
    return isRunning ? "'hued share' makes a code for others" : "to share it, run 'hued serve'"
  }

  /// The number of registers of all palettes that are in conflict.
  func conflicts(in document: JSON?, _ palettes: [JSON]) -> Int {
    document["totals"]["conflicts"].intValue
      ?? palettes.reduce(0) { $0 + ($1["conflicts"].intValue ?? 0) }
  }

  private func statusFacts(_ document: JSON?) -> [(key: String, value: String)] {
    let urls = (document["listening"].arrayValue ?? []).map(plain).joined(separator: " ")
    let isRunning = document["running"].boolValue == true
    let pending = document["pending"].intValue ?? 0
    var entries = [
      (key: "Node", value: !isRunning ? "not running" : urls.isEmpty ? "running" : "at \(urls)"),
      (key: "Waiting", value: pending == 0 ? "nothing" : count(pending, "change") + " of yours"),
    ]
    if let missing = document["missing"].intValue, missing > 0 {
      entries.append((key: "Missing", value: count(missing, "change")))
    }
    guard presentation.isVerbose else { return entries }
    for (key, word) in [("node", "Id"), ("version", "Version"), ("digest", "Digest")] {
      entries.append((key: word, value: plain(document[key])))
    }
    return entries
  }

  private func statusTable(of palettes: [JSON], among peers: [JSON]) -> String {
    var table = TextTable(
      header: ["PALETTE", "COLORS", "WITH", "WAITING", "CONFLICTS"],
      details: ["ID"]
    )
    for palette in palettes {
      table.append(
        [
          Cell(plain(palette["name"])), Cell(plain(palette["count"]), alignsRight: true),
          Cell(carriers(of: palette, among: peers)),
        ]
          + ["pending", "conflicts"].map { key in Cell(plain(palette[key]), alignsRight: true) }
          + [Cell(plain(palette["id"]))]
      )
    }
    return table.text(presentation)
  }

  /// The peers, each with since when it stands so and when it was last heard: without a node, when it
  /// last stated what it holds.
  func peerTable(_ peers: [JSON]) -> String {
    var table = TextTable(
      header: ["PEER", "STATE", "SINCE", "WAITING", "ERROR", "LAST HEARD", "ROUND TRIP", "ADDRESS"]
    )
    for peer in peers {
      let error = PeerStanding(peer).reason ?? ""
      let trip = peer["rttMilliseconds"].isNull ? "" : plain(peer["rttMilliseconds"]) + " ms"
      table.append([
        Cell(called(peer)), Cell(whole: plain(peer["state"])), Cell(whole: ago(peer["since"])),
        Cell(plain(peer["pending"]), alignsRight: true), Cell(error, limit: 80),
        Cell(whole: ago(peer["lastContact"].isNull ? peer["lastAck"] : peer["lastContact"])),
        Cell(trip, alignsRight: true),
        Cell(whole: peer["name"].stringValue == nil ? "" : plain(peer["url"])),
      ])
    }
    return table.text(presentation)
  }

  /// The grants of the peers, one right a line; nothing if there are none.
  private func grantTable(_ peers: [JSON], _ palettes: [JSON]) -> String {
    var table = TextTable(header: ["GRANTED BY", "ROLE", "PALETTE", "UNTIL"])
    var count = 0
    for peer in peers {
      for grant in peer["grants"].arrayValue ?? [] {
        let palette = palettes.first { $0["id"] == grant["palette"] && !grant["palette"].isNull }
        let name = palette.map { plain($0["name"]) } ?? short(grant["palette"])
        table.append([
          Cell(called(peer)), Cell(plain(grant["role"])),
          Cell(grant["palette"].isNull ? "the whole library" : name),
          Cell(whole: end(grant["expires"])),
        ])
        count += 1
      }
    }
    return count == 0 ? "" : "\n" + table.text(presentation)
  }
}

/// The overview of `hued` alone.
extension TextRenderer {
  /// The overview of `hued` alone: the palettes, whether they are in sync, and a possible next
  /// step.
  func overview(_ document: JSON?) -> String {
    let palettes = document["palettes"].arrayValue ?? []
    let peers = document["peers"].arrayValue ?? []
    let isRunning = document["running"].boolValue == true
    var text = verdict(document, peers)
    if !palettes.isEmpty {
      var table = TextTable(header: ["PALETTE", "COLORS", "CONFLICTS"])
      for palette in palettes.prefix(Self.overviewLimit) {
        let conflicts = palette["conflicts"].intValue ?? 0
        table.append([
          Cell(plain(palette["name"])), Cell(plain(palette["count"]), alignsRight: true),
          Cell(conflicts == 0 ? "" : "\(conflicts)", alignsRight: true),
        ])
      }
      text += "\n" + table.text(presentation)
      let more = (document["totals"]["palettes"].intValue ?? palettes.count) - Self.overviewLimit
      if more > 0 { text += "and \(count(more, "more palette", "more palettes")): hued palettes\n" }
    }
    var next: [(command: String, does: String)] = []
    if palettes.isEmpty {
      next.append(("hued new NAME", "make a palette"))
      next.append(("hued import FILE", "read one from a file of another program"))
    } else {
      next.append(("hued list PALETTE", "show its colors"))
      next.append(("hued add PALETTE VALUE", "add a color, such as tomato or #ff6347"))
    }
    if conflicts(in: document, palettes) > 0 {
      next.append(("hued conflicts", "show what two people set at once"))
    }
    if !isRunning { next.append(("hued serve", "run the node and its web page")) }
    if isRunning { next.append(("hued open", "open the web page")) }
    if peers.contains(where: { $0["state"].stringValue == "refused" }) {
      next.append(("hued join CODE", "join again, with a new code from whoever runs the hub"))
    }
    if peers.isEmpty { next.append(("hued join CODE", "share palettes with another machine")) }
    next.append(("hued help", "all commands"))
    let width = next.map(\.command.count).max() ?? 0
    return text + "\nNext:\n"
      + next.map { entry in
        let space = String(repeating: " ", count: width - entry.command.count)
        let line = "  \(entry.command)\(space)  \(entry.does)"
        guard DisplayWidth.of(line) > presentation.columns else { return line + "\n" }
        return "  \(entry.command)\n" + paragraph("    \(entry.does)", indent: "    ")
      }.joined()
  }

  private static let overviewLimit = 12
}

/// The time since a moment, in the words of people.
enum Ago {
  /// The words for a moment in ISO 8601, as seen from another; the text itself where it is no moment.
  static func text(_ moment: String, now: Moment) -> String {
    guard let then = Moment(iso8601: moment) else { return moment }
    let (distance, overflows) = now.milliseconds.subtractingReportingOverflow(then.milliseconds)
    guard !overflows else { return moment }
    // Clocks of several machines differ a little, which is no news from the future.
    guard distance > -60_000 else { return String(moment.prefix(10)) }
    let seconds = distance / 1000
    switch seconds {
    case ..<5: return "just now"
    case ..<60: return words(seconds, "second")
    case ..<3600: return words(seconds / 60, "minute")
    case ..<86_400: return words(seconds / 3600, "hour")
    case ..<(31 * 86_400): return words(seconds / 86_400, "day")
    default: return String(moment.prefix(10))
    }
  }

  private static func words(_ number: Int64, _ unit: String) -> String {
    quantity(number, unit) + " ago"
  }

  private static func quantity(_ number: Int64, _ unit: String) -> String {
    "\(number) \(unit)\(number == 1 ? "" : "s")"
  }

  /// The words for the time until a moment in ISO 8601; the text itself where it is no moment.
  static func end(_ moment: String, now: Moment) -> String {
    guard let then = Moment(iso8601: moment) else { return moment }
    let (distance, overflows) = then.milliseconds.subtractingReportingOverflow(now.milliseconds)
    guard !overflows else { return moment }
    switch distance / 1_000 {
    case ...0: return "over"
    case let seconds where seconds < 60: return "in " + quantity(seconds, "second")
    case let seconds where seconds < 3_600: return "in " + quantity(seconds / 60, "minute")
    case let seconds where seconds < 86_400: return "in " + quantity(seconds / 3_600, "hour")
    case let seconds where seconds < 31 * 86_400: return "in " + quantity(seconds / 86_400, "day")
    default: return String(moment.prefix(10))
    }
  }
}
