import PaletteCommands
import PaletteJSON
import PaletteModel

/// Who is let in and who is here, as text.
extension TextRenderer {
  /// Who of those who are let in is here and what they do, in a sentence; nil where nobody is let in.
  func whoIsHere(_ document: JSON?) -> String? {
    let members = document["members"].arrayValue ?? []
    guard !members.isEmpty else { return nil }
    let live = members.filter { $0["state"].stringValue == "live" }
    func number(_ kind: String, _ members: [JSON]) -> Int {
      members.count { $0["kind"].stringValue == kind }
    }
    var counts: [String] = []
    let machines = number("machine", members)
    if machines > 0 {
      counts.append("\(number("machine", live)) of \(count(machines, "machine"))")
    }
    for kind in ["page", "script"] {
      let here = number(kind, live)
      if here > 0 || machines == 0 && number(kind, members) > 0 { counts.append(count(here, kind)) }
    }
    let doing = live.compactMap { member in
      views(of: member, in: document).map { "\(called(member)) looks at \($0)" }
    }
    let lacking = members.compactMap { member -> String? in
      guard let pending = member["pending"].intValue, pending > 0 else { return nil }
      return "\(called(member)) lacks \(count(pending, "change"))"
    }
    let news = doing + lacking
    let told = news.prefix(Self.newsLimit) + (news.count > Self.newsLimit ? ["and others"] : [])
    return counts.joined(separator: ", ") + " here"
      + (told.isEmpty ? "" : ": " + told.joined(separator: ", "))
  }

  /// The most that is told in the sentence.
  private static let newsLimit = 5

  private func called(_ member: JSON) -> String {
    SafeText.words(member["name"].stringValue ?? plain(member["member"]))
  }

  /// The names of the palettes that a member has in view; nil where there are none.
  private func views(of member: JSON, in document: JSON?) -> String? {
    let palettes = document["palettes"].arrayValue ?? []
    let names = (member["views"].arrayValue ?? []).map { view in
      let palette = palettes.first { $0["id"] == view }
      return SafeText.words(palette.map { plain($0["name"]) } ?? short(view))
    }
    guard let first = names.first else { return nil }
    return names.count == 1 ? first : "\(first) and \(count(names.count - 1, "other palette"))"
  }

  /// A new token, which is told this once, and what it is good for.
  func token(_ document: JSON?) -> String {
    let secret = plain(document["token"]) + "\n"
    guard isTerminal else { return secret }
    let palette = invocation["palette"].stringValue.map { "'\(SafeText.words($0))'" }
    let end = document["expires"].isNull ? "" : ", ends \(end(document["expires"]))"
    return secret
      + paragraph("Role: \(plain(document["role"])) of \(palette ?? "the whole library")\(end)")
      + paragraph(
        "It is not shown again; to take it back: hued revoke \(plain(document["id"]))"
      )
  }

  /// The caller and what the caller may do.
  func caller(_ document: JSON?) -> String {
    guard isTerminal else { return facts(document) }
    let isLibrary = document["member"].isNull
    let kind = isLibrary ? "the library itself" : plain(document["kind"])
    let rights = (document["grants"].arrayValue ?? []).map { grant in
      let palette =
        grant["palette"].isNull ? "everything here" : "palette \(short(grant["palette"]))"
      let end = grant["expires"].isNull ? "" : ", ends \(end(grant["expires"]))"
      return "\(plain(grant["role"])) of \(palette)\(end)"
    }
    var entries = [
      (key: "Name", value: plain(document["name"])), (key: "Is", value: kind),
      (key: "May", value: rights.joined(separator: "; ")),
    ]
    if presentation.isVerbose || presentation.isWide {
      entries.append((key: "Node", value: plain(document["node"])))
    }
    return facts(entries)
  }

  /// The members, one a line.
  func memberTable(_ document: JSON?) -> String {
    let members = document["members"].arrayValue ?? []
    guard !members.isEmpty else { return "" }
    var table = TextTable(
      header: ["MEMBER", "STATE", "LACKS", "LAST HEARD", "LOOKS AT", "KIND", "SINCE"],
      details: ["ID"]
    )
    for member in members {
      let isLive = member["state"].stringValue == "live"
      table.append([
        Cell(called(member)), Cell(whole: plain(member["state"])),
        Cell(plain(member["pending"]), alignsRight: true),
        Cell(whole: isLive ? "now" : ago(member["lastContact"])),
        Cell(views(of: member, in: document) ?? ""), Cell(whole: plain(member["kind"])),
        Cell(whole: ago(member["since"])),
        Cell(plain(member["member"])),
      ])
    }
    return table.text(presentation)
  }

  /// The members as lines of fields.
  func memberFields(_ document: JSON?) -> String {
    (document["members"].arrayValue ?? []).map { member in
      let views = (member["views"].arrayValue ?? []).map(plain).joined(separator: " ")
      let keys = ["name", "kind", "state", "since", "lastContact", "pending"]
      return fields(["member"] + keys.map { plain(member[$0]) } + [views, plain(member["member"])])
    }.joined()
  }

  /// The names of the peers that carry a palette; nobody where none of several does.
  func carriers(of palette: JSON, among peers: [JSON]) -> String {
    guard !peers.isEmpty, !palette["with"].isNull else { return "" }
    let urls = (palette["with"].arrayValue ?? []).compactMap(\.stringValue)
    let names = peers.filter { urls.contains(plain($0["url"])) }.map { peer in
      peer["name"].stringValue ?? plain(peer["url"])
    }
    return names.isEmpty ? "nobody" : names.joined(separator: ", ")
  }
}
