package import PaletteStore

/// The log that the hubs of a fleet share: what is in their libraries, and which of them owns each.
///
/// Every operation is one statement, and one transaction. Those of an owner name their claim, and do
/// nothing when another hub has taken the library since. A call waits for its answer, for at most
/// 1.5 s; calls from several threads wait for each other.
package protocol SharedLog: AnyObject, Sendable {
  /// Connects again where the connection is lost, unless it was tried so lately that this is no use.
  ///
  /// It may take seconds, so no loop calls it. Other operations fail at once while nothing is connected.
  ///
  /// - Throws: Why there is no connection.
  func connect() throws(SharedLogError)

  // MARK: Hubs

  /// Enters a hub that has just started.
  func register(_ hub: LogHub) throws(SharedLogError)

  /// Tells that a hub lives.
  ///
  /// - Returns: Everything that the hub has to know each second; nil when it is dead.
  func beat(_ hub: HubID) throws(SharedLogError) -> BeatAnswer?

  /// Declares a hub dead, for ever: oneself at the end, or an earlier hub whose cache folder one has locked.
  func bury(_ hub: HubID) throws(SharedLogError)

  /// Declares a hub dead for ever if its beat is still at a number.
  func bury(_ hub: HubID, at beat: Int64) throws(SharedLogError)

  /// The hubs that are not dead, the newest first.
  func hubs() throws(SharedLogError) -> [LogHub]

  /// Removes the rows of hubs that are dead: a hub without a row is.
  func forgetDead() throws(SharedLogError)

  // MARK: Libraries

  /// Makes a library that nobody owns and that has no entry.
  ///
  /// - Returns: False when its name is taken.
  func create(_ id: SharedLibraryID, named name: String, schema: Int) throws(SharedLogError) -> Bool

  /// Reads a library's row and its owner's; nil when none has the name.
  func look(_ name: String) throws(SharedLogError) -> SharedLibrary?

  /// All libraries, by name.
  func list() throws(SharedLogError) -> [SharedLibrary]

  /// Removes a library with all that it has.
  ///
  /// - Returns: False when there was none.
  func drop(_ library: SharedLibraryID) throws(SharedLogError) -> Bool

  // MARK: Owning

  /// Tells the owner of a library, as it was looked at, that a hub wants it.
  ///
  /// - Returns: False when the library has changed hands since.
  func want(_ library: SharedLibrary, for hub: HubID) throws(SharedLogError) -> Bool

  /// Takes a library, as it was looked at.
  ///
  /// - Parameters:
  ///   - library: The row that was read.
  ///   - reason: The reason why its owner has no more right to it; it is part of the condition.
  ///   - hub: The new owner.
  ///   - schema: The newest schema that the new owner knows.
  /// - Returns: The library under its new epoch; nil when something changed since, or its schema is newer.
  /// - Throws: Why that is not known.
  func take(
    _ library: SharedLibrary,
    because reason: LogTaking,
    for hub: HubID,
    schema: Int
  ) throws(SharedLogError) -> LogState?

  /// Gives a library up, so that any hub may take it; the row still says who wanted it.
  ///
  /// - Returns: False when it was not owned any more.
  func letGo(_ claim: LogClaim) throws(SharedLogError) -> Bool

  /// Ends the doubt about an append: whatever is still on its way is fenced when this has returned.
  ///
  /// - Returns: The library under its new epoch; nil when another hub owns it.
  func endDoubt(_ claim: LogClaim) throws(SharedLogError) -> LogState?

  // MARK: Entries

  /// Appends an entry behind the one that has a hash.
  ///
  /// - Throws: With the outcome `fenced` when the claim is lost, or the log does not end there.
  func append(_ entry: LogEntry, after hash: [UInt8], as claim: LogClaim) throws(SharedLogError)

  /// The entries behind a number, in order; at most 256, and fewer when they are long.
  func tail(
    of library: SharedLibraryID,
    after number: Int64
  ) throws(SharedLogError) -> [LogEntry]

  /// The size of the entries behind a library's image, and of the image.
  func growth(of library: SharedLibraryID) throws(SharedLogError) -> LogGrowth

  // MARK: Images

  /// Adds a part of the image as of an entry, or puts it again.
  ///
  /// - Throws: With the outcome `fenced` when the claim is lost.
  func addPart(
    _ part: Int,
    of number: Int64,
    _ bytes: [UInt8],
    as claim: LogClaim
  ) throws(SharedLogError)

  /// Points a library at an image whose parts are all there.
  ///
  /// - Returns: False when the claim is lost or a newer image is known.
  func switchImage(to image: LogImage, as claim: LogClaim) throws(SharedLogError) -> Bool

  /// Appends an entry without changes, and points the library at the image that stands for it.
  ///
  /// - Throws: With the outcome `fenced` as `append` does, and when a part is missing.
  func jump(
    _ entry: LogEntry,
    to image: LogImage,
    schema: Int,
    after hash: [UInt8],
    as claim: LogClaim
  ) throws(SharedLogError)

  /// A part of an image; nil when it was swept away.
  func part(
    _ part: Int,
    of image: LogImage,
    in library: SharedLibraryID
  ) throws(SharedLogError) -> [UInt8]?

  /// Removes entries up to a number that the image made needless. The image's own stays: its hash vouches for
  /// caches that stand there.
  func prune(through number: Int64, as claim: LogClaim) throws(SharedLogError)

  /// Removes the parts of all images but the one that the library points at.
  func sweep(as claim: LogClaim) throws(SharedLogError)
}

/// The longest tail that is read at once.
package let logTailEntries = 256
