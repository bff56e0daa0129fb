/// The bytes of a change, which may lie among those of others that came with it.
///
/// Changes come by the thousand: to get memory for each and to give it back would take as long as
/// reading what is in it.
public struct ChangeBytes: Hashable, Sendable {
  /// The bytes, and perhaps others before and behind them.
  private var shared: [UInt8]
  private let start: UInt32
  private let end: UInt32

  /// Holds bytes.
  public init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

  /// Holds some of the bytes of many changes.
  package init(_ shared: [UInt8], _ range: Range<Int>) {
    precondition(range.upperBound <= shared.count)
    self.shared = shared
    (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound))
  }

  /// Names bytes that are not there yet: nothing may be asked before `come(to:)` brings them.
  package init(promising range: Range<Int>) {
    shared = []
    (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound))
  }

  /// Brings the bytes that were promised.
  package mutating func come(to shared: [UInt8]) {
    precondition(end <= shared.count)
    self.shared = shared
  }

  /// Their number.
  public var count: Int { Int(end - start) }

  /// The bytes by themselves.
  public var array: [UInt8] {
    count == shared.count ? shared : [UInt8](shared[Int(start)..<Int(end)])
  }

  /// Lends the bytes to `body`.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try shared.withUnsafeBufferPointer { (shared) throws(Failure) in
      try body(
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(shared)[Int(start)..<Int(end)])
      )
    }
  }

  /// Returns whether both are the same bytes, wherever they lie.
  public static func == (one: Self, other: Self) -> Bool {
    one.count == other.count
      && one.withUnsafeBytes { one in other.withUnsafeBytes { one.elementsEqual($0) } }
  }

  /// Feeds the bytes to a hasher.
  public func hash(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }
}
