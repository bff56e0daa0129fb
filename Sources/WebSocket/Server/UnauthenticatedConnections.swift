/// The connections whose owner is not known yet, by age and by address.
struct UnauthenticatedConnections {
  private var all = AgeOrder()
  private var byAddress: [String: AgeOrder] = [:]
  private var addresses: [ConnectionID: String] = [:]

  /// Their number.
  var count: Int { all.count }

  /// The oldest of all.
  var oldest: ConnectionID? { all.oldest }

  /// The number from an address.
  func count(from address: String) -> Int { byAddress[address]?.count ?? 0 }

  /// The oldest one of an address.
  func oldest(from address: String) -> ConnectionID? { byAddress[address]?.oldest }

  /// Returns whether a connection is one of them.
  func contains(_ id: ConnectionID) -> Bool { addresses[id] != nil }

  /// Adds a connection that was accepted just now.
  mutating func add(_ id: ConnectionID, from address: String) {
    addresses[id] = address
    all.append(id)
    byAddress[address, default: AgeOrder()].append(id)
  }

  /// Removes a connection, if it is there.
  mutating func remove(_ id: ConnectionID) {
    guard let address = addresses.removeValue(forKey: id) else { return }
    all.remove(id)
    byAddress[address]?.remove(id)
    if byAddress[address]?.count == 0 { byAddress[address] = nil }
  }
}

/// Connections in the order in which they were added; any of them can be removed.
private struct AgeOrder {
  /// Those that were removed stay until it is worth it to clear them out; the first is never one.
  private var names: ArraySlice<ConnectionID> = []
  private var present: Set<ConnectionID> = []

  var count: Int { present.count }

  var oldest: ConnectionID? { names.first }

  mutating func append(_ id: ConnectionID) {
    names.append(id)
    present.insert(id)
  }

  mutating func remove(_ id: ConnectionID) {
    present.remove(id)
    names = names.drop { !present.contains($0) }
    if names.count > 64, names.count > 2 * present.count {
      names = names.filter(present.contains)[...]
    }
  }
}

/// The number of connections of a listener that may exist whose owner is not known yet.
///
/// A connection is known once it is open, or, on a route that greets, once `keep` is called for it.
/// HTTP connections stay unknown. When there are too many, the oldest makes room: whoever only waits
/// is the oldest soon, and whoever means it is done before that.
package struct UnauthenticatedLimits: Equatable, Sendable {
  /// The most from one address; nil for any number.
  ///
  /// An IPv6 network of 64 bits counts as one address, as its owner can choose among them.
  package let perAddress: Int?
  /// The most from one loopback address; nil for any number.
  package let perLoopbackAddress: Int?

  /// Creates limits.
  package init(perAddress: Int?, perLoopbackAddress: Int?) {
    self.perAddress = perAddress
    self.perLoopbackAddress = perLoopbackAddress
  }

  /// The usual limits.
  package static let usual = UnauthenticatedLimits(perAddress: 64, perLoopbackAddress: 1024)
  /// No limit by address: for what a proxy in front limits.
  package static let none = UnauthenticatedLimits(perAddress: nil, perLoopbackAddress: nil)
}

/// The reason why a connection was ended before it could show who it is.
package enum ConnectionRefusal: String, CaseIterable, Sendable {
  /// There are too many unknown ones from its address.
  case address
  /// There are too many unknown ones together.
  case unauthenticated
  /// Nearly all descriptors of the process are in use; where no unknown one can make room, the new
  /// one is turned away.
  case descriptors
}
