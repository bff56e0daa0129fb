extension CommandTable {
  private static let roleFlag = Flag("role", "ROLE", "viewer, editor, relay or owner")
  private static let expiresFlag = Flag("expires", "T", "90s, 10m, 2h, 7d, or an ISO 8601 time")

  static let sharingCommands: [Command] = [
    Command(
      verb: .share,
      group: .sharing,
      summary: "Prints a join code for another machine or person",
      details: [
        "The code works once, for 10 minutes unless --expires says otherwise. Without PALETTE it "
          + "covers the whole library, and the role is relay; with PALETTE the role is editor.",
        "A viewer reads, an editor also pushes its own changes, a relay pushes anyone's, and an "
          + "owner also shares and revokes. A node must be running.",
      ],
      positionals: [
        Positional("PALETTE", "share this palette only", need: .optional, content: .palette)
      ],
      flags: [roleFlag, expiresFlag],
      examples: [
        .init("hued share", "share everything with another machine of yours"),
        .init("hued share Brand --role viewer", "let somebody read one palette"),
      ],
      otherNames: ["invite"]
    ),
    Command(
      verb: .join,
      group: .sharing,
      summary: "Joins a node by a join code",
      details: ["Waits for the first catch-up. With - the code is read from the standard input."],
      positionals: [Positional("CODE", "the join code, or -")],
      examples: [
        .init("hued join hued1-gYN4", "join the node that printed this code"),
        .init("hued join -", "read the code from the standard input"),
      ],
      otherNames: ["connect", "pair"]
    ),
    Command(
      verb: .leave,
      group: .sharing,
      summary: "Forgets a peer; what came from it stays",
      positionals: [Positional("PEER", "the peer's URL, or a part of it that fits no other")],
      examples: [.init("hued leave 127.0.0.1:4833", "stop syncing with this node")],
      otherNames: ["disconnect"]
    ),
    Command(
      verb: .peers,
      group: .sharing,
      summary: "Lists the peers that this library joined",
      details: ["Columns when piped: URL, state, pending, ms, clock offset, last ack, error."],
      examples: [.init("hued peers", "see who is connected")]
    ),
    Command(
      verb: .token,
      group: .sharing,
      summary: "Prints a token for scripts",
      details: ["The token is shown once, and stored hashed. Without --role it is a viewer's."],
      positionals: [
        Positional("PALETTE", "for this palette only", need: .optional, content: .palette)
      ],
      flags: [roleFlag, expiresFlag],
      examples: [.init("hued token Brand --role viewer", "let a script read one palette")]
    ),
    Command(
      verb: .tokens,
      group: .sharing,
      summary: "Lists the rights that were granted",
      details: ["Columns when piped: id, role, palette, node, created, expires, last seen."],
      examples: [.init("hued tokens", "see who may do what")]
    ),
    Command(
      verb: .revoke,
      group: .sharing,
      summary: "Takes a right back at once",
      positionals: [Positional("TOKEN", "the id of the token, as 'tokens' lists it")],
      examples: [.init("hued revoke 1f2e3d4c", "end the sessions of this token")]
    ),
    Command(
      verb: .sync,
      group: .sharing,
      summary: "Syncs with every peer now",
      details: ["Exit 5 when a peer stayed unreachable."],
      flags: [Flag("wait", nil, "wait as long as it takes")],
      examples: [.init("hued sync --wait", "wait until everything is exchanged")],
      otherNames: ["push", "pull", "fetch"]
    ),
  ]
}
