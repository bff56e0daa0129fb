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
  func shared(_ document: JSON?) -> String {
    if document["code"].isNull {
      let link = plain(document["link"]) + "\n"
      return isTerminal ? "Everybody may read \(link)" : link
    }
    let code = plain(document["code"]) + "\n"
    guard isTerminal else { return code }
    let hint =
      "On the other machine: hued join CODE  (role \(plain(document["role"])), "
      + "until \(time(document["expires"])))\n"
    // The code is what has to be seen at the end, whole.
    let others = hint + "\n" + code
    let lines = others.split(separator: "\n", omittingEmptySubsequences: false).reduce(2) {
      $0 + max(0, DisplayWidth.of(String($1)) - 1) / max(1, presentation.columns) + 1
    }
    let picture = qrCode(document["qr"]).map { "For a phone, which opens the page:\n\($0)\n" } ?? ""
    let height = picture.split(separator: "\n").count
    let fits = presentation.rows.map { height + lines <= $0 } ?? false
    return (fits || invocation["qr"].boolValue == true ? picture : "") + others
  }

  /// A QR code, where the terminal is wide enough and can show black on white.
  private func qrCode(_ rows: JSON?) -> String? {
    guard presentation.depth != .none, !presentation.isWithoutUnicode, let rows = rows.arrayValue
    else { return nil }
    return HalfBlocks.text(rows.compactMap(\.stringValue), columns: presentation.columns)
  }

  func joined(_ document: JSON?) -> String {
    let palettes = document["palettes"].arrayValue ?? []
    let colors = document["colors"].intValue ?? 0
    guard isTerminal else {
      return fields([
        plain(document["peer"]), plain(document["role"]), String(palettes.count), String(colors),
      ])
    }
    return "Joined \(bold(plain(document["peer"]))) as \(plain(document["role"])): "
      + "\(count(palettes.count, "palette")), \(count(colors, "color"))\n"
  }

  /// The peer that was left, and the palette where it was one alone.
  func left(_ document: JSON?) -> String {
    guard isTerminal else { return fields([plain(document["left"])]) }
    let palette = invocation["palette"].stringValue.map { "'\(SafeText.words($0))' of " } ?? ""
    return "Left \(palette)\(plain(document["left"]))\n"
  }

  func synced(_ document: JSON?) -> String {
    let numbers = ["sent", "received", "pending"].map { plain(document[$0]) }
    guard isTerminal else { return fields(numbers) }
    return "Sent \(numbers[0]), received \(numbers[1]), waiting \(numbers[2])\n"
  }

  func tokens(_ document: JSON?) -> String {
    let keys = [
      "id", "role", "palette", "node", "created", "expires", "lastSeen", "member", "name", "kind",
    ]
    let tokens = document["tokens"].arrayValue ?? []
    guard isTerminal else {
      return tokens.map { token in
        fields(keys.map { plain(token[$0]) } + [grantedBy(token)])
      }.joined()
    }
    guard !tokens.isEmpty else {
      return paragraph("Nobody is let in: 'hued share' makes a code for others")
    }
    var table = TextTable(
      header: ["TOKEN", "ROLE", "PALETTE", "NAME", "KIND", "LAST SEEN", "EXPIRES", "GRANTED BY"],
      details: ["MEMBER", "NODE"]
    )
    for token in tokens {
      table.append([
        Cell(whole: plain(token["id"])), Cell(whole: plain(token["role"])),
        Cell(palette(ofToken: token)), Cell(plain(token["name"])),
        Cell(whole: token["kind"].isNull ? "join code" : plain(token["kind"])),
        Cell(whole: ago(token["lastSeen"])), Cell(whole: end(token["expires"])),
        Cell(grantedBy(token)), Cell(plain(token["member"])), Cell(plain(token["node"])),
      ])
    }
    return table.text(presentation)
  }

  private func palette(ofToken token: JSON) -> String {
    guard !token["palette"].isNull else { return "all" }
    return token["paletteName"].stringValue ?? short(token["palette"])
  }

  /// The owner of a grant, by name if there is one; nothing for the library itself.
  private func grantedBy(_ token: JSON) -> String {
    let maker = token["grantedBy"]
    return plain(maker["name"].isNull ? maker["member"] : maker["name"])
  }

  func peers(_ document: JSON?) -> String {
    let peers = document["peers"].arrayValue ?? []
    guard isTerminal else {
      return peers.map { peer in fields(Self.peerKeys.map { plain(peer[$0]) }) }.joined()
        + memberFields(document)
    }
    let members = memberTable(document)
    if peers.isEmpty, members.isEmpty {
      return "No peers: no hub is joined, no member let in.\n"
    }
    return [peers.isEmpty ? "" : peerTable(peers), members].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// A sentence on the contents of a backup.
  func backedUp(_ document: JSON?) -> String {
    guard isTerminal else { return facts(document) }
    return "Backed up \(holdings(document)) to \(bold(SafeText.line(plain(document["file"]))))"
      + " (\(megabytes(document["bytes"])))\n"
  }

  /// A sentence on the present library, and the place of the old one.
  func recovered(_ document: JSON?) -> String {
    guard isTerminal else { return facts(document) }
    let kept = document["kept"].stringValue.map {
      "The old library is kept as \(SafeText.line($0))\n"
    }
    return "Recovered \(holdings(document)) from \(bold(SafeText.line(plain(document["file"]))))\n"
      + (kept ?? "") + Self.revocations(document)
  }

  /// Says which rights stay revoked, or that nobody can tell.
  private static func revocations(_ document: JSON?) -> String {
    guard document["kept"].stringValue != nil else { return "" }
    switch document["revoked"].intValue {
    case nil:
      return "What the old library had revoked may count again, for it cannot be read: look at "
        + "'hued tokens', and take back with 'hued revoke' what nobody shall have\n"
    case 0: return ""
    case let count?: return "\(count) of the backup's rights had ended since, and stay ended\n"
    }
  }

  private func holdings(_ document: JSON?) -> String {
    count(document["palettes"].intValue ?? 0, "palette") + " with "
      + count(document["colors"].intValue ?? 0, "color")
  }

  private func megabytes(_ bytes: JSON?) -> String {
    "\(ProgressMeter.number(bytes.intValue ?? 0, .bytes)) MB"
  }

  /// The outcome of compaction, in all and for each palette; on a terminal only for those that it
  /// altered, for there may be very many others.
  func compaction(_ document: JSON?) -> String {
    let palettes = document["palettes"].arrayValue ?? []
    let numbers = ["changes", "removed", "removedBytes"]
    let totals = facts(document, without: ["palettes"])
    guard isTerminal else {
      return totals
        + palettes.map { palette in
          fields(["palette"] + (["name"] + numbers + ["id"]).map { plain(palette[$0]) })
        }.joined()
    }
    let compacted = palettes.filter { $0["removed"].intValue != 0 }
    guard !compacted.isEmpty else { return totals }
    var table = TextTable(header: ["PALETTE", "CHANGES", "REMOVED", "BYTES"], details: ["ID"])
    for palette in compacted {
      table.append(
        [Cell(plain(palette["name"]))]
          + numbers.map { Cell(plain(palette[$0]), alignsRight: true) }
          + [Cell(plain(palette["id"]))]
      )
    }
    return totals + "\n" + table.text(presentation)
  }

  /// The checks, one a line; for people with the answer first, and with what is wrong before the rest.
  func doctor(_ document: JSON?) -> String {
    let checks = document["checks"].arrayValue ?? []
    guard isTerminal else {
      return checks.map { check in
        let word = check["ok"].boolValue == true ? "ok" : "failed"
        return fields([plain(check["name"]), word, plain(check["detail"])])
      }.joined()
    }
    let failed = checks.filter { $0["ok"].boolValue != true }
    let passed = checks.filter { $0["ok"].boolValue == true }
    var text =
      failed.isEmpty
      ? bold("All is well") + ": \(count(passed.count, "check")) passed\n"
      : bold("Something is wrong") + ": \(failed.count) of \(count(checks.count, "check")) failed\n"
    for check in failed + passed {
      let mark = check["ok"].boolValue == true ? "✓" : "✗"
      let detail = plain(check["detail"])
      text += paragraph(
        "  \(mark) \(plain(check["name"]))\(detail.isEmpty ? "" : ": \(detail)")",
        indent: "      "
      )
    }
    return text
  }

  /// All settings with their origin, or the value of one.
  func config(_ document: JSON?) -> String {
    guard let settings = document["settings"].arrayValue else {
      let isSet = invocation["action"].stringValue == "set"
      return isSet && presentation.isQuiet ? "" : fields([plain(document["value"])])
    }
    guard isTerminal else {
      return settings.map { setting in
        fields(["key", "value", "origin"].map { plain(setting[$0]) })
      }.joined()
    }
    var table = TextTable(header: ["KEY", "VALUE", "ORIGIN"])
    for setting in settings {
      table.append([
        Cell(plain(setting["key"])), Cell(plain(setting["value"])), Cell(plain(setting["origin"])),
      ])
    }
    return table.text(presentation)
  }
}
