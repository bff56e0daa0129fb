internal import PaletteFormats
internal import PaletteJSON
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let join = Command(
    "join",
    .sharing,
    .alone,
    view: .joined,
    summary: "Joins a node by a join code",
    details: [
      "Says what the code grants, and waits for the first catch-up. A second code of the same "
        + "node adds to what the first one granted. With - the code is read from the standard "
        + "input. A code may be given in several pieces, with anything around it."
    ],
    positionals: [
      Positional("CODE", "the join code, or -", need: .repeated, content: .secret)
    ],
    examples: [
      .init("hued join hued1-2V4Q", "join the node that printed this code"),
      .init("hued join -", "read the code from the standard input"),
    ],
    otherNames: ["connect", "pair"],
    parameters: [Parameter("code", .text(), "the join code")]
  ) { call in
    let code = try JoinCode(try call.parameters.text("code"))
    try code.checkAddresses()
    guard let sharing = call.library.sharing else {
      throw APIError(code: "failed", message: "only a node can join")
    }
    // A copy of the library on another machine has the same id, and may join this one.
    let isOwn = try call.library.reading()?.library == code.library
    guard !isOwn || Set(sharing.joinAddresses).isDisjoint(with: code.addresses) else {
      throw APIError(
        code: "bad-value",
        message: "this join code is of this library itself",
        hint: "use it on the other machine: hued join CODE"
      )
    }
    return TextAnswer(key: "peer", text: try sharing.join(code.ticket))
  }.notInFleets("'hued join' on a machine of yours joins the fleet's library to others")
    .with(\.work, "Connecting")
    .with(\.clientPart, .joining)
    .logged(as: "join", "joins a peer")
    .translating { arguments in
      var parameters = arguments
      let pieces = arguments["code"].arrayValue?.compactMap(\.stringValue) ?? []
      if !pieces.isEmpty { parameters["code"] = .string(pieces.joined(separator: " ")) }
      return parameters
    }
}

/// A library that was joined, as whoever waited for it tells of it.
package enum Joining {}

extension Received where Form == Joining {
  package var peer: String { text("peer") }
  package var role: String { text("role") }
  package var palettes: [Received<PaletteAnswer>] { parts("palettes") }
  package var colors: Int { integer("colors") ?? 0 }
}
