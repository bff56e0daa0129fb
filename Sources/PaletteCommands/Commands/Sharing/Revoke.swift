internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let revoke = Command(
    "revoke",
    .sharing,
    .alone,
    view: .sentence("Revoked", key: "revoked"),
    summary: "Takes a right back at once",
    details: [
      "With a member's name or id it takes back all that this member was granted, and with a name the "
        + "join codes for that name, too."
    ],
    positionals: [
      Positional("TOKEN", "the id of a token or of a member, or a member's name", content: .member)
    ],
    examples: [
      .init("hued revoke 1f2e3d4c", "end the sessions of this token"),
      .init("hued revoke Ann", "take back all that Ann was granted"),
    ],
    access: .owner
  ) { call in
    let argument = try call.parameters.text("token")
    guard let store = try call.library.editing() else { throw APIError.unknownToken(argument) }
    let now = store.nowMilliseconds
    let live = try store.members.grants().filter { $0.grant.counts(atMilliseconds: now) }
    let prefix = argument.lowercased()
    let byID = live.filter { prefix.utf8.count >= 4 && $0.grant.uid.hasPrefix(prefix) }
    guard byID.count <= 1 else {
      throw APIError(code: "ambiguous", message: "several tokens begin with '\(argument)'")
    }
    var found = byID
    if found.isEmpty {
      let members = live.filter { entry in
        guard let member = entry.member else { return entry.grant.name == argument }
        // A member may have taken another name than the one under which it was let in.
        return member.name == argument || entry.grant.name == argument
          || prefix.utf8.count >= 4 && member.uid.hasPrefix(prefix)
      }
      // A code of that name that nobody has redeemed lets nobody else in: it ends with the member.
      let fitting = Set(
        members.compactMap { entry in
          entry.member.map { member in
            let other = entry.grant.otherName(than: member).map { ", let in as \($0)" } ?? ""
            return "\(member.uid) (\(member.name)\(other))"
          }
        }
      )
      guard fitting.count <= 1 else {
        throw APIError(
          code: "ambiguous",
          message: "'\(argument)' fits several members",
          hint: "say which by its id: \(fitting.sorted().joined(separator: ", "))"
        )
      }
      found = members
    }
    guard let first = found.first else { throw APIError.unknownToken(argument) }
    for entry in found { _ = try store.members.revokeGrant(entry.grant.uid, by: call.author) }
    try call.library.sharing?.rightsChanged()
    let member = found.lazy.compactMap(\.member).first
    let revoked = byID.isEmpty ? member?.uid ?? first.grant.uid : first.grant.uid
    return TextAnswer(key: "revoked", text: revoked)
  }
  .logged(as: "revoke", "revoked")
  .with(\.consequence, .accessTaken)
}

extension APIError {
  fileprivate static func unknownToken(_ argument: String) -> APIError {
    APIError(
      code: "not-found",
      message: "there is no token or member '\(argument)'",
      hint: "'hued tokens' lists them"
    )
  }
}
