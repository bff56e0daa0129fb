import PaletteCommands
import PaletteFormats

extension TextRenderer {
  /// The state of the library and of its peers.
  func status(_ document: JSON?) -> String {
    let palettes = document["palettes"].arrayValue ?? []
    let peers = document["peers"].arrayValue ?? []
    let hidden = ["palettes", "peers"] + (isTerminal ? ["inSync", "reasons"] : [])
    let keys = document.keys.filter { !hidden.contains($0) }
    let entries = keys.map { key in
      (
        key: key,
        value: key == "reasons"
          ? (document[key].arrayValue ?? []).map(plain).joined(separator: "; ")
          : statusValue(document[key])
      )
    }
    guard isTerminal else {
      return facts(entries)
        + palettes.map { palette in
          let keys = ["name", "count", "pending", "conflicts", "id", "digest"]
          return fields(["palette"] + keys.map { plain(palette[$0]) })
        }.joined()
        + peers.map { peer in
          let grants = peer["grants"].arrayValue ?? []
          return fields(["peer"] + Self.peerKeys.map { plain(peer[$0]) })
            + grants.map { grant in
              fields(["grant", plain(peer["url"])] + Self.grantKeys.map { plain(grant[$0]) })
            }.joined()
        }.joined()
    }
    var text = answer(document, peerCount: peers.count) + "\n" + facts(entries)
    if !palettes.isEmpty { text += "\n" + statusTable(of: palettes) }
    if !peers.isEmpty { text += "\n" + peerTable(peers) + grantTable(peers, palettes) }
    return text
  }

  /// What the peers grant, one right a line; nothing where none is told.
  private func grantTable(_ peers: [JSON], _ palettes: [JSON]) -> String {
    var table = TextTable(header: ["GRANTED BY", "ROLE", "PALETTE", "UNTIL"])
    var count = 0
    for peer in peers {
      for grant in peer["grants"].arrayValue ?? [] {
        let palette = palettes.first { $0["id"] == grant["palette"] && !grant["palette"].isNull }
        let name = palette.map { plain($0["name"]) } ?? short(grant["palette"])
        table.append([
          Cell(plain(peer["url"])), Cell(plain(grant["role"])),
          Cell(grant["palette"].isNull ? "the whole library" : name), Cell(time(grant["expires"])),
        ])
        count += 1
      }
    }
    return count == 0 ? "" : "\n" + table.text(presentation)
  }

  /// In sync or not, and why not: what somebody wants to know first.
  private func answer(_ document: JSON?, peerCount: Int) -> String {
    let reasons = document["reasons"].arrayValue ?? []
    guard document["inSync"].boolValue == false, !reasons.isEmpty else {
      guard peerCount > 0 else {
        return bold("No peers") + ": this library has joined nobody\n"
      }
      return bold("In sync") + " with \(count(peerCount, "peer"))\n"
    }
    return bold("Not in sync") + "\n"
      + reasons.map { SafeText.line("  " + plain($0)) + "\n" }.joined()
  }

  private func statusValue(_ value: JSON?) -> String {
    if let list = value.arrayValue {
      return list.isEmpty && isTerminal ? "no" : list.map(plain).joined(separator: " ")
    }
    if let truth = value.boolValue, isTerminal { return truth ? "yes" : "no" }
    return plain(value)
  }

  /// What compaction did, in all and for each palette.
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
    guard !palettes.isEmpty else { return totals }
    var table = TextTable(header: ["PALETTE", "CHANGES", "REMOVED", "BYTES", "ID"])
    for palette in palettes {
      table.append(
        [Cell(plain(palette["name"]))]
          + numbers.map { Cell(plain(palette[$0]), alignsRight: true) }
          + [Cell(short(palette["id"]))]
      )
    }
    return totals + "\n" + table.text(presentation)
  }

  private func statusTable(of palettes: [JSON]) -> String {
    var table = TextTable(header: ["PALETTE", "COLORS", "PENDING", "CONFLICTS", "ID"])
    for palette in palettes {
      table.append(
        [Cell(plain(palette["name"]))]
          + ["count", "pending", "conflicts"].map { key in
            Cell(plain(palette[key]), alignsRight: true)
          } + [Cell(short(palette["id"]))]
      )
    }
    return table.text(presentation)
  }

  static let peerKeys = [
    "url", "state", "pending", "rttMilliseconds", "clockOffsetMilliseconds", "lastAck", "error",
  ]

  private static let grantKeys = ["role", "palette", "expires"]

  func peerTable(_ peers: [JSON]) -> String {
    var table = TextTable(header: ["PEER", "STATE", "PENDING", "MS", "LAST ACK", "ERROR"])
    for peer in peers {
      let error = peer["error"]["message"].stringValue ?? plain(peer["error"])
      table.append([
        Cell(plain(peer["url"])), Cell(plain(peer["state"])),
        Cell(plain(peer["pending"]), alignsRight: true),
        Cell(plain(peer["rttMilliseconds"]), alignsRight: true), Cell(time(peer["lastAck"])),
        Cell(error, limit: 80),
      ])
    }
    return table.text(presentation)
  }

  /// The checks, one a line.
  func doctor(_ document: JSON?) -> String {
    (document["checks"].arrayValue ?? []).map { check in
      let isFine = check["ok"].boolValue == true
      let name = plain(check["name"])
      let detail = plain(check["detail"])
      guard isTerminal else { return fields([name, isFine ? "ok" : "failed", detail]) }
      let mark = isFine ? "✓" : "✗"
      return SafeText.line("\(mark) \(name)\(detail.isEmpty ? "" : ": \(detail)")") + "\n"
    }.joined()
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
