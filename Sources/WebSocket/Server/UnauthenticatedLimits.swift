/// How many connections of a listener may exist whose owner is not known yet.
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

/// Why a connection was ended before it could show who it is.
package enum ConnectionRefusal: String, CaseIterable, Sendable {
  /// There are too many unknown ones from its address.
  case address
  /// There are too many unknown ones together.
  case unauthenticated
  /// Nearly all descriptors of the process are in use; where no unknown one can make room, the new
  /// one is turned away.
  case descriptors
}
