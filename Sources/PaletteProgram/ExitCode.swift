/// The exit codes: a contract with scripts.
package enum ExitCode: Int32, CaseIterable {
  case done = 0
  case failed = 1
  case badInput = 2
  case notFound = 3
  case ambiguous = 4
  case unreachable = 5
  case notAllowed = 6
  case storage = 7
  case incompatible = 8
  case timedOut = 124
  case interrupted = 130

  /// The code of an error; a word that is not known yet counts as failed.
  package init(errorCode: String) {
    self = Self.table[errorCode] ?? .failed
  }

  package static let table: [String: ExitCode] = [
    "failed": .failed,
    "bad-usage": .badInput, "bad-color": .badInput, "bad-name": .badInput,
    "bad-position": .badInput, "bad-time": .badInput, "bad-format": .badInput,
    "bad-file": .badInput, "bad-code": .badInput, "bad-seen": .badInput,
    "bad-value": .badInput, "exists": .badInput, "not-removed": .badInput,
    "no-conflict": .badInput, "needs-confirmation": .badInput, "too-large": .badInput,
    "not-found": .notFound, "no-history": .notFound,
    "ambiguous": .ambiguous,
    "unreachable": .unreachable,
    "not-allowed": .notAllowed,
    "storage": .storage, "locked": .storage, "disk-full": .storage, "over-quota": .storage,
    "corrupt": .storage,
    "read-only": .storage, "not-a-library": .storage,
    "newer-format": .incompatible, "incompatible": .incompatible,
    "timed-out": .timedOut,
    "interrupted": .interrupted,
  ]

  /// The meaning, for the man page.
  package var meaning: String {
    switch self {
    case .done: "Done."
    case .failed: "Failed for another reason."
    case .badInput: "Bad input or usage."
    case .notFound: "Something that was named does not exist."
    case .ambiguous: "A name or id prefix fits several things."
    case .unreachable: "A peer could not be reached, where it was the point of the command."
    case .notAllowed:
      "Not allowed: the role does not suffice, or a join code or token is no longer good."
    case .storage: "Storage: the disk is full, the library is corrupt, locked or read-only."
    case .incompatible: "An incompatible version: of the library, or of what a peer speaks."
    case .timedOut: "Timed out."
    case .interrupted: "Interrupted."
    }
  }
}
