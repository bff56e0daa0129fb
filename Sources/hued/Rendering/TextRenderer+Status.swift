import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteMerge
import PaletteModel

/// The answers of `status` and `peers`, as text.
extension TextRenderer {
  /// The number of palettes a person is shown.
  static let statusLimit = 50

  /// The state of the library and of its peers.
  func status(_ status: Received<StatusAnswer>) -> String {
    guard isTerminal else { return statusFields(status) }
    let (palettes, peers) = (status.palettes, status.peers)
    var text = verdict(status)
    if let step = nextStep(status) { text += paragraph("Next: \(step)", indent: "      ") }
    text += "\n" + facts(statusFacts(status))
    if !palettes.isEmpty { text += "\n" + statusTable(of: palettes, among: peers) }
    let more = (status.paletteCount ?? 0) - palettes.count
    if status.hasMore, more > 0 {
      text += "and \(count(more, "more palette", "more palettes")): hued palettes\n"
    }
    if !peers.isEmpty { text += "\n" + peerTable(peers) + grantTable(peers, palettes) }
    let members = memberTable(status.members, palettes)
    return members.isEmpty ? text : text + "\n" + members
  }

  /// Every member of the document in its order, those of a newer version too; then the lists, a line an entry.
  private func statusFields(_ status: Received<StatusAnswer>) -> String {
    let document = status.json
    let keys = document.keys.filter { !["palettes", "peers", "totals", "members"].contains($0) }
    let totals = status.totals.keys.map { key in
      (key: "total-\(key)", value: plain(status.totals[key]))
    }
    let entries = keys.map { key in
      let list = document[key].arrayValue
      let text = list?.map(plain).joined(separator: key == "reasons" ? "; " : " ")
      return (key: key, value: text ?? plain(document[key]))
    }
    let palettes = lines(status.palettes) { palette in
      [
        "palette", plain(palette.name), plain(palette.count), plain(palette.pending),
        plain(palette.conflicts), plain(palette.id), plain(palette.digest),
      ]
    }
    let peers = status.peers.map { peer in
      fields(["peer"] + peerFields(peer))
        + lines(peer.grants) { ["grant", peer.url, $0.role, $0.palette, $0.expires].map(plain) }
    }
    return facts(entries + totals) + palettes + peers.joined() + memberFields(status.members)
  }

  /// The columns of a peer when piped.
  func peerFields(_ peer: Received<PeerAnswer>) -> [String] {
    [
      plain(peer.url), plain(peer.state.text), plain(peer.pending),
      plain(peer.roundTripMilliseconds), plain(peer.clockOffsetMilliseconds),
      plain(peer.lastAck), plain(peer.error),
    ]
  }

  /// In sync or not, with whom, and why not: what somebody wants to know first.
  private func verdict(_ status: Received<StatusAnswer>) -> String {
    let (peers, reasons) = (status.peers, status.reasons)
    let here = whoIsHere(status)
    guard !status.isInSync, !reasons.isEmpty else {
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
  private func called(_ peer: Received<PeerAnswer>) -> String { peer.name ?? plain(peer.url) }

  /// The next step that the state suggests; nil if there is none.
  private func nextStep(_ status: Received<StatusAnswer>) -> String? {
    let peers = status.peers
    if let peer = peers.first(where: \.isRefused) {
      return "what you do waits here; ask \(called(peer)) for a new code, then 'hued join CODE'"
    }
    if !peers.isEmpty, !status.isRunning {
      return "'hued serve' keeps this library in sync, 'hued sync' does it once"
    }
    if conflicts(in: status) > 0 {
      return "'hued conflicts' shows what was written at the same time"
    }
    if let peer = peers.first(where: { !$0.isLive }) {
      return "nothing to do: what you do waits here until \(called(peer)) is back"
    }
    guard peers.isEmpty else { return nil }
    if status.palettes.isEmpty {
      return "make a palette with 'hued new NAME', or join with 'hued join CODE'"
    }
    if whoIsHere(status) != nil { return nil }
    return status.isRunning
      ? "'hued share' makes a code for others" : "to share it, run 'hued serve'"
  }

  /// The number of registers of all palettes that are in conflict.
  private func conflicts(in status: Received<StatusAnswer>) -> Int {
    status.conflictCount ?? status.palettes.reduce(0) { $0 + ($1.conflicts ?? 0) }
  }

  private func statusFacts(_ status: Received<StatusAnswer>) -> [(key: String, value: String)] {
    let urls = status.listening.map(plain).joined(separator: " ")
    let pending = status.pending ?? 0
    var entries = [
      (
        key: "Node",
        value: !status.isRunning ? "not running" : urls.isEmpty ? "running" : "at \(urls)"
      ),
      (key: "Waiting", value: pending == 0 ? "nothing" : count(pending, "change") + " of yours"),
    ]
    if let missing = status.missing, missing > 0 {
      entries.append((key: "Missing", value: count(missing, "change")))
    }
    guard presentation.isVerbose else { return entries }
    return entries + [
      (key: "Id", value: plain(status.node)), (key: "Version", value: plain(status.version)),
      (key: "Digest", value: plain(status.digest)),
    ]
  }

  private func statusTable(
    of palettes: [Received<PaletteStatus>],
    among peers: [Received<PeerAnswer>]
  ) -> String {
    let header = ["PALETTE", "COLORS", "WITH", "WAITING", "CONFLICTS"]
    return table(header, details: ["ID"], of: palettes) { palette in
      [
        Cell(plain(palette.name)), Cell(plain(palette.count), alignsRight: true),
        Cell(carriers(of: palette, among: peers)),
        Cell(plain(palette.pending), alignsRight: true),
        Cell(plain(palette.conflicts), alignsRight: true), Cell(plain(palette.id)),
      ]
    }
  }

  /// The peers, each with since when it stands so and when it was last heard: without a node, when it
  /// last stated what it holds.
  func peerTable(_ peers: [Received<PeerAnswer>]) -> String {
    let header = [
      "PEER", "STATE", "SINCE", "WAITING", "ERROR", "LAST HEARD", "ROUND TRIP", "ADDRESS",
    ]
    return table(header, of: peers) { peer in
      [
        Cell(called(peer)), Cell(whole: plain(peer.state.text)), Cell(whole: ago(peer.since)),
        Cell(plain(peer.pending), alignsRight: true),
        Cell(peer.standing.reason ?? "", limit: 80),
        Cell(whole: ago(peer.lastContact ?? peer.lastAck)),
        Cell(peer.roundTripMilliseconds.map { plain($0) + " ms" } ?? "", alignsRight: true),
        Cell(whole: peer.name == nil ? "" : plain(peer.url)),
      ]
    }
  }

  /// The grants of the peers, one right a line; nothing if there are none.
  private func grantTable(
    _ peers: [Received<PeerAnswer>],
    _ palettes: [Received<PaletteStatus>]
  ) -> String {
    let grants = peers.flatMap { peer in peer.grants.map { (peer, $0) } }
    guard !grants.isEmpty else { return "" }
    return "\n"
      + table(["GRANTED BY", "ROLE", "PALETTE", "UNTIL"], of: grants) { peer, grant in
        let palette = palettes.first { $0.id == grant.palette }
        let name = palette.map { plain($0.name) } ?? short(grant.palette)
        return [
          Cell(called(peer)), Cell(plain(grant.role)),
          Cell(grant.palette == nil ? "the whole library" : name),
          Cell(whole: end(grant.expires)),
        ]
      }
  }
}

/// The overview of `hued` alone.
extension TextRenderer {
  /// The overview of `hued` alone: the palettes, whether they are in sync, and a possible next
  /// step.
  func overview(_ status: Received<StatusAnswer>) -> String {
    let (palettes, peers) = (status.palettes, status.peers)
    var text = verdict(status)
    if !palettes.isEmpty {
      let first = Array(palettes.prefix(Self.overviewLimit))
      text += "\n"
      text += table(["PALETTE", "COLORS", "CONFLICTS"], of: first) { palette in
        let conflicts = palette.conflicts ?? 0
        return [
          Cell(plain(palette.name)), Cell(plain(palette.count), alignsRight: true),
          Cell(conflicts == 0 ? "" : "\(conflicts)", alignsRight: true),
        ]
      }
      let more = (status.paletteCount ?? palettes.count) - Self.overviewLimit
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
    if conflicts(in: status) > 0 {
      next.append(("hued conflicts", "show what two people set at once"))
    }
    next.append(
      status.isRunning
        ? ("hued open", "open the web page") : ("hued serve", "run the node and its web page")
    )
    if peers.contains(where: \.isRefused) {
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
