/// The effect of a command on the library; how it is carried out follows from it.
package enum Effect: Sendable {
  /// Needs no library: answered where it is asked, and the same everywhere.
  case fact
  /// Only reads.
  case read
  /// Makes changes that peers are to get.
  case edit
  /// The same, and makes a library where there is none.
  case create
  /// Writes what concerns this library alone, such as a right.
  case keep
  /// Cannot share a commit with others: it needs a store without an open transaction, or tells what is
  /// durable.
  case alone
  /// Concerns the connection that it comes through; only a node can carry it out.
  case connection
  /// Is carried out by the program that was asked, without the API.
  case program

  /// True if it makes changes that peers are to get.
  package var edits: Bool {
    switch self {
    case .edit, .create: true
    case .fact, .read, .keep, .alone, .connection, .program: false
    }
  }

  /// True if carrying it out again changes nothing.
  package var onlyReads: Bool {
    switch self {
    case .fact, .read: true
    case .edit, .create, .keep, .alone, .connection, .program: false
    }
  }

  /// True if it can share a commit with others.
  package var sharesCommit: Bool {
    switch self {
    case .fact, .read, .edit, .create, .keep: true
    case .alone, .connection, .program: false
    }
  }

  /// The usual access; nil for a command that is no method of the API.
  var usualAccess: Access? {
    switch self {
    case .fact, .read, .connection: .viewer
    case .edit, .create: .editor
    case .keep: .owner
    case .alone: .local
    case .program: nil
    }
  }
}
