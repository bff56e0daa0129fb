import PaletteCommands
import PaletteFormats

/// What the commands about sharing answer, as text.
extension TextRenderer {
  /// What was done to what, in a sentence.
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
    return code
      + "\nOn the other machine: hued join CODE  (role \(plain(document["role"])), "
      + "until \(time(document["expires"])))\n"
      + (qrCode(document["qr"]).map { "\nFor a phone, which opens the page:\n\($0)" } ?? "")
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
      return tokens.map { token in fields(keys.map { plain(token[$0]) }) }.joined()
    }
    var table = TextTable(
      header: ["TOKEN", "ROLE", "PALETTE", "MEMBER", "NAME", "KIND", "EXPIRES", "LAST SEEN"]
    )
    for token in tokens {
      table.append([
        Cell(plain(token["id"])), Cell(plain(token["role"])),
        Cell(token["palette"].isNull ? "all" : short(token["palette"])),
        Cell(plain(token["member"])), Cell(plain(token["name"])),
        Cell(token["kind"].isNull ? "join code" : plain(token["kind"])),
        Cell(time(token["expires"])), Cell(time(token["lastSeen"])),
      ])
    }
    return table.text(presentation)
  }

  func peers(_ document: JSON?) -> String {
    let peers = document["peers"].arrayValue ?? []
    guard isTerminal else {
      return peers.map { peer in fields(Self.peerKeys.map { plain(peer[$0]) }) }.joined()
    }
    return peers.isEmpty ? "No peers: this library has joined nobody.\n" : peerTable(peers)
  }
}
