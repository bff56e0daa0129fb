/// The commands of `hued-fleet`.
enum FleetVerb: String, CaseIterable {
  case serve, new, share, list, hubs
  case `import`
  case export, drop, completion, man

  /// A flag of a command, or of all.
  struct Flag {
    let name: String
    /// The word for its value; nil where it has none.
    var value: String?
    let summary: String
  }

  /// The names of what a command is about, in order; all are needed.
  var positionals: [String] {
    switch self {
    case .serve, .list, .hubs, .man: []
    case .completion: ["SHELL"]
    case .new, .share, .drop: ["NAME"]
    case .import: ["HOME", "NAME"]
    case .export: ["NAME", "HOME"]
    }
  }

  /// The flags that only this command has.
  var flags: [Flag] {
    switch self {
    case .serve:
      [
        Flag(
          name: "name",
          value: "NAME",
          summary: "the hub's name, for people; this machine's name otherwise"
        ),
        Flag(
          name: "listen",
          value: "HOST:PORT",
          summary: "where to listen; 127.0.0.1:4833 otherwise"
        ),
        Flag(
          name: "public-url",
          value: "URL",
          summary: "the balancer's address, under which people reach the fleet"
        ),
        Flag(name: "cache", value: "DIR", summary: "the folder of the caches, on a local disk"),
        Flag(name: "behind-proxy", summary: "something in front of the hub encrypts"),
        Flag(name: "tls-cert", value: "FILE", summary: "the certificate and its chain, as PEM"),
        Flag(name: "tls-key", value: "FILE", summary: "its key, as PEM"),
        Flag(
          name: "max-libraries",
          value: "N",
          summary: "the most libraries that are open at once"
        ),
      ]
    case .share:
      [
        Flag(
          name: "role",
          value: "ROLE",
          summary: "owner, relay, editor or viewer; owner otherwise"
        ),
        Flag(name: "name", value: "NAME", summary: "the name of whoever will have it"),
        Flag(
          name: "expires",
          value: "TIME",
          summary: "until when code and right are good, such as 7d"
        ),
      ]
    case .drop: [Flag(name: "yes", summary: "do not ask")]
    case .new, .list, .hubs, .import, .export, .completion, .man: []
    }
  }

  /// The flags that every command has.
  static let common = [
    Flag(
      name: "database",
      value: "URL",
      summary: "the database, as libpq reads it; HUED_DATABASE or libpq's own variables otherwise"
    ),
    Flag(name: "json", summary: "print JSON"),
    Flag(name: "quiet", summary: "tell errors alone"),
    Flag(name: "verbose", summary: "tell more"),
    Flag(name: "help", summary: "show help"),
  ]

  /// The purpose of the command, in a line.
  var summary: String {
    switch self {
    case .serve: "Runs a hub of the fleet"
    case .new: "Makes a library, and prints a join code for its owner"
    case .share: "Prints a join code for a library"
    case .list: "Lists the libraries"
    case .hubs: "Lists the hubs that live"
    case .import: "Carries a library from a home into the fleet"
    case .export: "Makes a home of a library of the fleet"
    case .drop: "Removes a library with all that it has"
    case .completion: "Prints the completion for bash, zsh or fish"
    case .man: "Prints the man page"
    }
  }

  /// The rest of the help.
  var details: String? {
    switch self {
    case .serve:
      """
      Hubs that share a database serve its libraries beneath /l/NAME/. Each library is open at one hub, and \
      another takes it over when that one dies. The line 'hued-fleet ready URL' on the standard output says that \
      the hub listens. A database that is away at the start is waited for 30 seconds. SIGTERM lets go of all \
      libraries and ends; SIGHUP reads the certificate again.
      """
    case .new:
      "A name has 1 to 63 of a-z, 0-9 and -. No code is printed while no hub lives, since it names the fleet's address."
    case .share:
      """
      The code works once, for 10 minutes, or until --expires. The hub that serves the library lets go of it for a \
      moment; its people are connected again by themselves.
      """
    case .import:
      """
      Members and undo come along. The library in the fleet is a copy, and the home goes on as it was: members \
      change over when their old address leads to the fleet, else they join again with new codes.
      """
    case .export: "Members and undo come along. It is a copy: the library in the fleet goes on."
    case .drop: "It asks before, but with --yes. There is no way back but an export."
    case .list, .hubs, .completion, .man: nil
    }
  }
}
