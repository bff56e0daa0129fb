internal import PaletteModel

extension Command {
  package static let join = Command(
    "join",
    .sharing,
    .alone,
    summary: "Joins a node by a join code",
    details: [
      "Says what the code grants, and waits for the first catch-up. A second code of the same "
        + "node adds to what the first one granted. With - the code is read from the standard "
        + "input."
    ],
    positionals: [Positional("CODE", "the join code, or -", content: .secret)],
    examples: [
      .init("hued join hued1-gYN4", "join the node that printed this code"),
      .init("hued join -", "read the code from the standard input"),
    ],
    otherNames: ["connect", "pair"]
  ) { call in
    let code = try JoinCode(try call.parameters.text("code"))
    try code.checkAddresses()
    guard let sharing = call.library.sharing else {
      throw APIError(code: "failed", message: "only a node can join")
    }
    return TextAnswer(key: "peer", text: try sharing.join(code.invitation))
  }
}
