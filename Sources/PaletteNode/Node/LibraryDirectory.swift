/// The libraries that a process serves by name, each beneath `/l/NAME`.
///
/// It is asked on the loop's thread by whoever comes, strangers too, so it answers at once, and from memory.
package protocol LibraryDirectory: AnyObject {
  /// Looks for the library of a name.
  ///
  /// - Parameters:
  ///   - name: The name, which has the form of one.
  ///   - address: The address of whoever comes, for budgets.
  /// - Returns: Where it is.
  func find(_ name: String, for address: String) -> NamedLibrary
  /// Returns whether the library of a name is being looked for or opened; the directory says when that ends.
  func isFetching(_ name: String) -> Bool
  /// Returns whether anything may be answered from a library that is open here.
  func mayAnswer(_ key: RoomKey) -> Bool
  /// The reason why this process cannot serve at the moment; nil if it can.
  var hindrance: String? { get }
  /// The numbers of the process, in the text form of Prometheus.
  var metrics: String { get }
}

/// The outcome of looking for a library by name.
package enum NamedLibrary: Equatable {
  /// It is served here.
  ///
  /// So is a name that nobody has given to a library: by a library that lets nobody in, so that strangers
  /// cannot tell names apart.
  case here(RoomKey)
  /// It is not served here yet: to be asked for again.
  case later(seconds: Int)
}
