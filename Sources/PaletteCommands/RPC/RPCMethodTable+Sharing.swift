extension RPCMethodTable {
  private static let role = RPCMethod.Parameter(
    "role",
    .word(["viewer", "editor", "relay", "owner"]),
    "what the bearer may do"
  )
  private static let expires = RPCMethod.Parameter(
    "expires",
    .text(),
    "a duration (90s, 10m, 2h, 7d) or a time in ISO 8601"
  )

  private static let memberName = RPCMethod.Parameter("name", .text(), "what the member is called")

  static let sharingMethods: [RPCMethod] = [
    RPCMethod(
      "share",
      .owner,
      "Makes a join code, for one palette or the whole library",
      [palette.optional, role.optional, expires.optional, memberName.optional],
      result: .object([
        ("code", .text()), ("role", .text()), ("palette", .text()), ("expires", .text()),
      ])
    ),
    RPCMethod(
      "token",
      .owner,
      "Makes a token for scripts",
      [palette.optional, role.optional, expires.optional, memberName.optional],
      result: .object([
        ("id", .text()), ("token", .text()), ("role", .text()), ("palette", .text()),
        ("expires", .text()),
      ])
    ),
    RPCMethod(
      "tokens",
      .owner,
      "Lists the rights that were granted and still count",
      result: .object([
        (
          "tokens",
          .list(
            .object([
              ("id", .text()), ("role", .text()), ("member", .text()), ("name", .text()),
              ("kind", .text()),
            ])
          )
        )
      ])
    ),
    RPCMethod(
      "revoke",
      .owner,
      "Takes a right back, and ends its sessions at once",
      [.init("token", .text(), "the id of the token or of its member, or the member's name")],
      result: .object([("revoked", .text())])
    ),
    RPCMethod(
      "peers",
      .viewer,
      "Tells where each peer stands that this library joined",
      result: .object([("peers", .list(.reference("Peer")))])
    ),
    RPCMethod(
      "join",
      .local,
      "Joins a peer, and begins to connect",
      [.init("code", .text(), "the join code")],
      result: .object([("peer", .text())])
    ),
    RPCMethod(
      "leave",
      .local,
      "Gives back what a peer granted, for one palette or all; what came from it stays",
      [
        .init("peer", .text(), "the URL of the peer, or a part of it that fits no other"),
        palette.optional,
      ],
      result: .object([("left", .text())])
    ),
    RPCMethod(
      "open",
      .local,
      "Makes a link that opens the web page, once",
      result: .object([("url", .text())])
    ),
    RPCMethod(
      "sync",
      .editor,
      "Connects to every peer at once",
      result: .object([("received", .integer), ("pending", .integer)])
    ),
  ]
}
