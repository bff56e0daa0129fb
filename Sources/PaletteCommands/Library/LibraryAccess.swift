package import PaletteModel
package import PaletteStore

/// How verbs get at a library: it is opened for one call, or a node holds it open.
package protocol LibraryAccess {
  /// Where the library is.
  var location: LibraryLocation { get }
  /// The present moment.
  var now: Moment { get }
  /// What the owner of the library wants to be called.
  var ownName: String { get }
  /// The URLs at which a running node listens; nil when none runs.
  var listening: [String]? { get }

  /// What a running node does about peers; nil when none runs.
  var sharing: (any Sharing)? { get }

  /// What a running node does about linked files; nil when none runs.
  var linking: (any Linking)? { get }

  /// The library for reading; nil when there is none, and then its answers are those of an empty one.
  func reading() throws -> ChangeStore?

  /// The library for writing; nil when there is none.
  func editing() throws -> ChangeStore?

  /// The library for writing, made when there is none.
  func creating() throws -> ChangeStore

  /// Tells whoever waits how far long work is.
  ///
  /// - Throws: `interrupted` when the work is to end; what it has not committed is undone then.
  func report(_ progress: Progress) throws(APIError)
}

extension LibraryAccess {
  /// Nobody waits in this process, unless said otherwise.
  package func report(_ progress: Progress) throws(APIError) {}

  /// Reports from within the store, whose errors are its own.
  func report(inStore progress: Progress) throws(StoreError) {
    do throws(APIError) {
      try report(progress)
    } catch {
      throw StoreError(code: .interrupted, message: error.message)
    }
  }
}
