extension CommandTable {
  private static let roleFlag = Flag("role", "ROLE", "viewer, editor, relay or owner")
  private static let expiresFlag = Flag("expires", "T", "90s, 10m, 2h, 7d, or an ISO 8601 time")
  private static let nameFlag = Flag("name", "NAME", "what to call whoever gets the right")

  static let sharingCommands: [Command] = [
    Command(
      verb: .share,
      group: .sharing,
      summary: "Prints a join code for another machine or person",
      details: [
        "The code works once, for 10 minutes. With --expires it works until then, and the right "
          + "that it gives ends then too. Without PALETTE it covers the whole library, and the "
          + "role is relay; with PALETTE the role is editor.",
        "A viewer reads, an editor also pushes its own changes, a relay pushes anyone's, and an "
          + "owner also shares and revokes. A node must be running.",
      ],
      positionals: [
        Positional("PALETTE", "share this palette only", need: .optional, content: .palette)
      ],
      flags: [roleFlag, expiresFlag, nameFlag],
      examples: [
        .init("hued share", "share everything with another machine of yours"),
        .init("hued share Brand --role viewer", "let somebody read one palette"),
        .init("hued share Brand --name Ann --expires 7d", "lend a palette to Ann for a week"),
      ],
      otherNames: ["invite"]
    ),
    Command(
      verb: .join,
      group: .sharing,
      summary: "Joins a node by a join code",
      details: [
        "Says what the code grants, and waits for the first catch-up. A second code of the same "
          + "node adds to what the first one granted. With - the code is read from the standard "
          + "input."
      ],
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
      summary: "Gives back what a peer granted; what came from it stays",
      positionals: [
        Positional("PEER", "the peer's URL, or a part of it that fits no other"),
        Positional("PALETTE", "give back this palette only", need: .optional, content: .palette),
      ],
      examples: [
        .init("hued leave 127.0.0.1:4833", "stop syncing with this node"),
        .init("hued leave 127.0.0.1:4833 Brand", "keep the other palettes that it shares"),
      ],
      otherNames: ["disconnect"]
    ),
    Command(
      verb: .open,
      group: .sharing,
      summary: "Prints a link that opens the web page, once",
      details: ["The link works for 10 minutes, for an owner's session. A node must be running."],
      examples: [.init("hued open", "open the page of the node that runs here")],
      otherNames: ["page", "web"]
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
      flags: [roleFlag, expiresFlag, nameFlag],
      examples: [.init("hued token Brand --role viewer", "let a script read one palette")]
    ),
    Command(
      verb: .tokens,
      group: .sharing,
      summary: "Lists the rights that were granted",
      details: [
        "Columns when piped: id, role, palette, node, created, expires, last seen, member, name, "
          + "kind. A join code that nobody has redeemed has no member."
      ],
      examples: [.init("hued tokens", "see who may do what")]
    ),
    Command(
      verb: .revoke,
      group: .sharing,
      summary: "Takes a right back at once",
      details: ["With a member's name or id it takes back all that this member was granted."],
      positionals: [Positional("TOKEN", "the id of a token or of a member, or a member's name")],
      examples: [
        .init("hued revoke 1f2e3d4c", "end the sessions of this token"),
        .init("hued revoke Ann", "take back all that Ann was granted"),
      ]
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
