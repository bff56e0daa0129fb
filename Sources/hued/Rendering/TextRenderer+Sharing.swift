import PaletteCommands
import PaletteJSON
import PaletteModel

/// The answers of the commands about sharing, as text.
extension TextRenderer {
  /// A sentence that names an action and its object.
  func sentence(_ word: String, _ what: JSON?) -> String {
    isTerminal ? "\(word) \(plain(what))\n" : fields([plain(what)])
  }

  /// The code alone when piped, so that `join -` can read it.
  func shared(_ shared: Received<SharedCode>) -> String {
    guard let code = shared.code.map({ plain($0) + "\n" }) else {
      let link = plain(shared.link) + "\n"
      return isTerminal ? "Everybody may read \(link)" : link
    }
    guard isTerminal else { return code }
    let hint =
      "On the other machine: hued join CODE  (role \(plain(shared.role)), "
      + "until \(time(shared.expires)))\n"
    // The code is what has to be seen at the end, whole.
    let others = hint + "\n" + code
    let lines = others.split(separator: "\n", omittingEmptySubsequences: false).reduce(2) {
      $0 + max(0, DisplayWidth.of(String($1)) - 1) / max(1, presentation.columns) + 1
    }
    let picture = qrCode(shared.qr).map { "For a phone, which opens the page:\n\($0)\n" } ?? ""
    let height = picture.split(separator: "\n").count
    let fits = presentation.rows.map { height + lines <= $0 } ?? false
    return (fits || invocation["qr"].boolValue == true ? picture : "") + others
  }

  /// A QR code, where the terminal is wide enough and can show black on white.
  private func qrCode(_ rows: [String]?) -> String? {
    guard presentation.depth != .none, !presentation.isWithoutUnicode, let rows else { return nil }
    return HalfBlocks.text(rows, columns: presentation.columns)
  }

  func joined(_ joined: Received<Joining>) -> String {
    let (peer, role) = (plain(joined.peer), plain(joined.role))
    let (palettes, colors) = (joined.palettes.count, joined.colors)
    guard isTerminal else { return fields([peer, role, String(palettes), String(colors)]) }
    return "Joined \(bold(peer)) as \(role): "
      + "\(count(palettes, "palette")), \(count(colors, "color"))\n"
  }

  /// The peer that was left, and the palette where it was one alone.
  func left(_ answer: Received<TextAnswer>) -> String {
    guard isTerminal else { return fields([plain(answer.left)]) }
    let palette = invocation["palette"].stringValue.map { "'\(SafeText.words($0))' of " } ?? ""
    return "Left \(palette)\(plain(answer.left))\n"
  }

  func synced(_ synced: Received<SyncAnswer>) -> String {
    let numbers = [synced.sent, synced.received, synced.pending].map(plain)
    guard isTerminal else { return fields(numbers) }
    return "Sent \(numbers[0]), received \(numbers[1]), waiting \(numbers[2])\n"
  }

  func tokens(_ tokens: [Received<GrantedRight>]) -> String {
    guard isTerminal else {
      return lines(tokens) { token in
        [
          token.id, token.role, token.palette, token.node, token.created, token.expires,
          token.lastSeen, token.member, token.name, token.kind, token.maker,
        ].map(plain)
      }
    }
    guard !tokens.isEmpty else {
      return paragraph("Nobody is let in: 'hued share' makes a code for others")
    }
    let header = [
      "TOKEN", "ROLE", "PALETTE", "NAME", "KIND", "LAST SEEN", "EXPIRES", "GRANTED BY",
    ]
    return table(header, details: ["MEMBER", "NODE"], of: tokens) { token in
      [
        Cell(whole: plain(token.id)), Cell(whole: plain(token.role)),
        Cell(palette(ofToken: token)),
        Cell(plain(token.name) + (token.formerName.map { " (let in as \(plain($0)))" } ?? "")),
        Cell(whole: token.kind.map { plain($0) } ?? "join code"),
        Cell(whole: ago(token.lastSeen)), Cell(whole: end(token.expires)),
        Cell(plain(token.maker)), Cell(plain(token.member)), Cell(plain(token.node)),
      ]
    }
  }

  private func palette(ofToken token: Received<GrantedRight>) -> String {
    guard let palette = token.palette else { return "all" }
    return token.paletteName ?? short(palette)
  }

  func peers(_ answer: Received<PeersAnswer>) -> String {
    let peers = answer.peers
    guard isTerminal else {
      return lines(peers, peerFields) + memberFields(answer.members)
    }
    let members = memberTable(answer.members)
    if peers.isEmpty, members.isEmpty {
      return "No peers: no hub is joined, no member let in.\n"
    }
    return [peers.isEmpty ? "" : peerTable(peers), members].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// A sentence on the contents of a backup, or the findings of a check.
  func backedUp(_ backup: Received<BackupAnswer>) -> String {
    if let report = backup.report { return doctor(report) }
    guard isTerminal else { return facts(backup.json) }
    return "Backed up \(holdings(backup.palettes, backup.colors)) to "
      + "\(bold(SafeText.line(plain(backup.file))))"
      + " (\(ProgressMeter.number(backup.bytes, .bytes)) MB)\n"
  }

  /// A sentence on the present library, and the place of the old one.
  func recovered(_ recovery: Received<RecoveryAnswer>) -> String {
    guard isTerminal else { return facts(recovery.json) }
    let kept = recovery.kept.map {
      "The old library is kept as \(SafeText.line($0))\n" + Self.revocations(recovery.revoked)
    }
    return "Recovered \(holdings(recovery.palettes, recovery.colors)) from "
      + "\(bold(SafeText.line(plain(recovery.file))))\n" + (kept ?? "")
  }

  /// Says how many rights stay revoked, or that nobody can tell.
  private static func revocations(_ count: Int?) -> String {
    switch count {
    case nil:
      return "What the old library had revoked may count again, for it cannot be read: look at "
        + "'hued tokens', and take back with 'hued revoke' what nobody shall have\n"
    case 0: return ""
    case let count?: return "\(count) of the backup's rights had ended since, and stay ended\n"
    }
  }

  private func holdings(_ palettes: Int, _ colors: Int) -> String {
    count(palettes, "palette") + " with " + count(colors, "color")
  }

  /// The outcome of compaction, in all and for each palette; on a terminal only for those that it
  /// altered, for there may be very many others.
  func compaction(_ answer: Received<CompactionAnswer>) -> String {
    let totals = facts(answer.json, without: ["palettes"])
    func numbers(of palette: Received<CompactedPalette>) -> [String] {
      [palette.changes, palette.removed, palette.removedBytes].map(plain)
    }
    guard isTerminal else {
      return totals
        + lines(answer.palettes) { palette in
          ["palette", plain(palette.name)] + numbers(of: palette) + [plain(palette.id)]
        }
    }
    let compacted = answer.palettes.filter { $0.removed != 0 }
    guard !compacted.isEmpty else { return totals }
    let header = ["PALETTE", "CHANGES", "REMOVED", "BYTES"]
    return totals + "\n"
      + table(header, details: ["ID"], of: compacted) { palette in
        [Cell(plain(palette.name))] + numbers(of: palette).map { Cell($0, alignsRight: true) }
          + [Cell(plain(palette.id))]
      }
  }

  /// The checks, one a line; for people with the answer first, and with what is wrong before the rest.
  func doctor(_ report: Received<HealthReport>) -> String {
    let checks = report.checks
    guard isTerminal else {
      return lines(checks) { [plain($0.name), $0.isFine ? "ok" : "failed", plain($0.detail)] }
    }
    let failed = checks.filter { !$0.isFine }
    let passed = checks.filter(\.isFine)
    var text =
      failed.isEmpty
      ? bold("All is well") + ": \(count(passed.count, "check")) passed\n"
      : bold("Something is wrong") + ": \(failed.count) of \(count(checks.count, "check")) failed\n"
    for check in failed + passed {
      let detail = plain(check.detail)
      text += paragraph(
        "  \(check.isFine ? "✓" : "✗") \(plain(check.name))\(detail.isEmpty ? "" : ": \(detail)")",
        indent: "      "
      )
    }
    return text
  }

  /// All settings with their origin, or the value of one.
  func config(_ answer: Received<ConfigAnswer>) -> String {
    guard let settings = answer.settings else {
      let isSet = invocation["action"].stringValue == "set"
      return isSet && presentation.isQuiet ? "" : fields([plain(answer.setting.value)])
    }
    guard isTerminal else {
      return lines(settings) { [plain($0.key), plain($0.value), plain($0.origin)] }
    }
    return table(["KEY", "VALUE", "ORIGIN"], of: settings) { setting in
      [Cell(plain(setting.key)), Cell(plain(setting.value)), Cell(plain(setting.origin))]
    }
  }
}
