internal import CPostgreSQL

/// A database as libpq is told of it: a connection string or URL, with what the environment adds.
///
/// Its description has no password.
package struct PostgreSQLAddress: Sendable {
  /// The connection string as it was given.
  let text: String
  private let hosts: [[(keyword: String, value: String)]]
  private let shown: String

  /// Reads a connection string; an empty one leaves everything to the environment.
  ///
  /// - Throws: When it cannot be read. The error does not repeat it, since it may have a password.
  package init(_ text: String) throws(SharedLogError) {
    guard let options = PQconninfoParse(text, nil) else {
      throw SharedLogError(.notDone, .badAddress, "the connection string cannot be read")
    }
    defer { PQconninfoFree(options) }
    guard let defaults = PQconndefaults() else {
      throw SharedLogError(.notDone, .badAddress, "the connection service file cannot be read")
    }
    defer { PQconninfoFree(defaults) }
    let given = Self.values(of: options)
    let found = Self.values(of: defaults).merging(given) { $1 }
    self.text = text
    hosts = Self.hosts(found)
    shown = ["host", "port", "dbname", "user"].compactMap { key in
      found[key].map { "\(key)=\($0)" }
    }.joined(separator: " ")
  }

  /// The parameters of each attempt to connect, in the order in which they are to be tried.
  ///
  /// Each host is an attempt of its own, so that one that does not answer costs the others nothing.
  var attempts: [[(keyword: String, value: String)]] {
    hosts.map { host in
      [
        ("application_name", "hued-fleet"), ("tcp_user_timeout", "2000"),
        ("keepalives_idle", "2"), ("dbname", text),
      ] + host + [("client_encoding", "UTF8"), ("target_session_attrs", "read-write")]
    }
  }

  /// The values that are set, but for those that are secret.
  private static func values(
    of options: UnsafeMutablePointer<PQconninfoOption>
  ) -> [String: String] {
    var values: [String: String] = [:]
    var next = options
    while let keyword = next.pointee.keyword {
      defer { next += 1 }
      let isSecret = next.pointee.dispchar.map { String(cString: $0) } == "*"
      guard let value = next.pointee.val, !isSecret else { continue }
      values[String(cString: keyword)] = String(cString: value)
    }
    return values
  }

  /// One host each of lists of them; one attempt that leaves all to libpq where there are not several.
  private static func hosts(_ values: [String: String]) -> [[(keyword: String, value: String)]] {
    func list(_ key: String) -> [String] {
      (values[key] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let lists = ["host", "hostaddr", "port"].map { (key: $0, values: list($0)) }
    let count = lists.dropLast().map(\.values.count).max() ?? 1
    guard count > 1 else { return [[]] }
    return (0..<count).map { index in
      lists.compactMap { list in
        guard !list.values.isEmpty else { return nil }
        // One port stands for all hosts.
        return (list.key, list.values[min(index, list.values.count - 1)])
      }
    }
  }
}

extension PostgreSQLAddress: CustomStringConvertible, CustomReflectable {
  /// Hosts, ports, database and user.
  package var description: String { shown }

  /// Nothing, so that no dump of a value that holds an address shows the password.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
