public import PaletteMerge
public import PaletteModel

/// The part of a library that its session needs.
///
/// All of it is read at the moment of the question, from what is durably committed.
public protocol SyncLibrary {
  /// The error of a library that cannot be read.
  associatedtype Failure: Error

  /// The palettes within a scope, each with its digest.
  func palettes(in scope: Scope) throws(Failure) -> [Frame.Entry]

  /// The digest over the palettes within a scope.
  func digest(in scope: Scope) throws(Failure) -> Digest

  /// The digests over the palettes within a scope, by the last byte of their ids.
  func bucketDigests(in scope: Scope) throws(Failure) -> [Digest]

  /// The palettes within a scope whose ids end with one of these bytes, each with its digest.
  func palettes(in scope: Scope, buckets: Set<UInt8>) throws(Failure) -> [Frame.Entry]

  /// The frontier: the point up to which each author's changes are held in a palette.
  func frontier(of palette: PaletteID) throws(Failure) -> Frontier

  /// The digest of a palette.
  func digest(of palette: PaletteID) throws(Failure) -> Digest

  /// The link of a change that is held; nil when it is not, or was compacted away.
  func link(of dot: Dot, in palette: PaletteID) throws(Failure) -> UInt64?

  /// The next changes that a frontier lacks, in an order in which they can be merged.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - frontier: What is not lacking.
  ///   - byteLimit: How many bytes are enough; at least one change is given if one is lacking.
  /// - Returns: The changes; nil when some were compacted away, so that only a snapshot will do.
  /// - Throws: That the library cannot be read.
  func changes(
    of palette: PaletteID,
    after frontier: Frontier,
    byteLimit: Int
  ) throws(Failure) -> [OutgoingChange]?

  /// The parts of a snapshot of the palette, its whole state without its history; nil if nothing of
  /// it is held.
  func outline(of palette: PaletteID) throws(Failure) -> SnapshotOutline?

  /// Lends the bytes of changes, one after the other, for as long as `body` wants more.
  ///
  /// - Parameters:
  ///   - rows: The changes, as they stand in an outline.
  ///   - palette: The palette.
  ///   - body: Takes the bytes of a change, and tells whether it wants those of the next.
  /// - Returns: Whether none that was wanted is gone.
  /// - Throws: That the library cannot be read.
  func lend(
    _ rows: ArraySlice<SnapshotOutline.Row>,
    of palette: PaletteID,
    to body: (UnsafeRawBufferPointer) -> Bool
  ) throws(Failure) -> Bool

  /// Some of the changes of an author that are here, the first ones from a number on.
  func oldHistory(
    of palette: PaletteID,
    by node: NodeID,
    _ numbers: ClosedRange<UInt32>,
    byteLimit: Int
  ) throws(Failure) -> OldHistory

  /// Returns whether a node id is, or was, this library's own.
  func isOwn(_ node: NodeID) -> Bool
}

extension SyncLibrary {
  /// The digest over the palettes within a scope, where it is not kept.
  public func digest(in scope: Scope) throws(Failure) -> Digest {
    try palettes(in: scope).digest
  }

  /// The digests of the buckets, where they are not kept.
  public func bucketDigests(in scope: Scope) throws(Failure) -> [Digest] {
    try palettes(in: scope).bucketDigests
  }

  /// The palettes of some buckets, looked for among all.
  public func palettes(
    in scope: Scope,
    buckets: Set<UInt8>
  ) throws(Failure) -> [Frame.Entry] {
    try palettes(in: scope).filter { buckets.contains($0.palette.bucket) }
  }
}
