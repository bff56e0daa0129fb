import PaletteCommands
import PaletteJSON
import PaletteModel

/// Who is let in and who is here, as text.
extension TextRenderer {
  /// Who of those who are let in is here and what they do, in a sentence; nil where nobody is let in.
  func whoIsHere(_ status: Received<StatusAnswer>) -> String? {
    let members = status.members
    guard !members.isEmpty else { return nil }
    let live = members.filter { $0.state.known == .live }
    func number(_ kind: MemberAnswer.Kind, _ members: [Received<MemberAnswer>]) -> Int {
      members.count { $0.kind.known == kind }
    }
    var counts: [String] = []
    let machines = number(.machine, members)
    if machines > 0 {
      counts.append("\(number(.machine, live)) of \(count(machines, "machine"))")
    }
    for kind in [MemberAnswer.Kind.page, .script] {
      let here = number(kind, live)
      if here > 0 || machines == 0 && number(kind, members) > 0 {
        counts.append(count(here, kind.rawValue))
      }
    }
    let palettes = status.palettes
    let doing = live.compactMap { member in
      views(of: member, among: palettes).map { "\(called(member)) looks at \($0)" }
    }
    let lacking = members.compactMap { member -> String? in
      guard let pending = member.pending, pending > 0 else { return nil }
      return "\(called(member)) lacks \(count(pending, "change"))"
    }
    let news = doing + lacking
    let told = news.prefix(Self.newsLimit) + (news.count > Self.newsLimit ? ["and others"] : [])
    return counts.joined(separator: ", ") + " here"
      + (told.isEmpty ? "" : ": " + told.joined(separator: ", "))
  }

  /// The most that is told in the sentence.
  private static let newsLimit = 5

  private func called(_ member: Received<MemberAnswer>) -> String {
    SafeText.words(member.name ?? plain(member.member))
  }

  /// The names of the palettes that a member has in view; nil where there are none.
  private func views(
    of member: Received<MemberAnswer>,
    among palettes: [Received<PaletteStatus>]
  ) -> String? {
    let names = member.views.map { view in
      let palette = palettes.first { $0.id == view }
      return SafeText.words(palette.map { plain($0.name) } ?? short(view))
    }
    guard let first = names.first else { return nil }
    return names.count == 1 ? first : "\(first) and \(count(names.count - 1, "other palette"))"
  }

  /// A new token, which is told this once, and what it is good for.
  func token(_ made: Received<MadeToken>) -> String {
    let secret = plain(made.token) + "\n"
    guard isTerminal else { return secret }
    let palette = invocation["palette"].stringValue.map { "'\(SafeText.words($0))'" }
    let ending = made.expires.map { ", ends \(end($0))" } ?? ""
    return secret
      + paragraph("Role: \(plain(made.role)) of \(palette ?? "the whole library")\(ending)")
      + paragraph("It is not shown again; to take it back: hued revoke \(plain(made.id))")
  }

  /// The caller and what the caller may do.
  func caller(_ caller: Received<CallerAnswer>) -> String {
    guard isTerminal else { return facts(caller.json) }
    let kind = caller.member == nil ? "the library itself" : plain(caller.kind)
    let rights = caller.grants.map { grant in
      let palette = grant.palette.map { "palette \(short($0))" } ?? "everything here"
      let ending = grant.expires.map { ", ends \(end($0))" } ?? ""
      return "\(plain(grant.role)) of \(palette)\(ending)"
    }
    var entries = [
      (key: "Name", value: plain(caller.name)), (key: "Is", value: kind),
      (key: "May", value: rights.joined(separator: "; ")),
    ]
    if presentation.isVerbose || presentation.isWide {
      entries.append((key: "Node", value: plain(caller.node)))
    }
    return facts(entries)
  }

  /// The members, one a line.
  func memberTable(
    _ members: [Received<MemberAnswer>],
    _ palettes: [Received<PaletteStatus>] = []
  ) -> String {
    guard !members.isEmpty else { return "" }
    let header = ["MEMBER", "STATE", "LACKS", "LAST HEARD", "LOOKS AT", "KIND", "SINCE"]
    return table(header, details: ["ID"], of: members) { member in
      [
        Cell(called(member)), Cell(whole: plain(member.state.text)),
        Cell(plain(member.pending), alignsRight: true),
        Cell(whole: member.state.known == .live ? "now" : ago(member.lastContact)),
        Cell(views(of: member, among: palettes) ?? ""), Cell(whole: plain(member.kind.text)),
        Cell(whole: ago(member.since)), Cell(plain(member.member)),
      ]
    }
  }

  /// The members as lines of fields.
  func memberFields(_ members: [Received<MemberAnswer>]) -> String {
    lines(members) { member in
      [
        "member", plain(member.name), plain(member.kind.text), plain(member.state.text),
        plain(member.since), plain(member.lastContact), plain(member.pending),
        member.views.map(plain).joined(separator: " "), plain(member.member),
      ]
    }
  }

  /// The names of the peers that carry a palette; nobody where none of several does.
  func carriers(
    of palette: Received<PaletteStatus>,
    among peers: [Received<PeerAnswer>]
  ) -> String {
    guard !peers.isEmpty, let urls = palette.peers else { return "" }
    let names = peers.filter { urls.contains(plain($0.url)) }.map { $0.name ?? plain($0.url) }
    return names.isEmpty ? "nobody" : names.joined(separator: ", ")
  }
}
