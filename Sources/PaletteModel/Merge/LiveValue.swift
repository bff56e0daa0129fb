/// A value that no change has replaced.
public struct LiveValue: Hashable, Sendable {
  /// The register that holds it.
  public let register: Register
  /// The change that wrote it.
  public let dot: Dot
  /// True when a delete saw it.
  public internal(set) var isCovered: Bool
  /// The value.
  public let value: RegisterValue

  package init(register: Register, dot: Dot, isCovered: Bool, value: RegisterValue) {
    self.register = register
    self.dot = dot
    self.isCovered = isCovered
    self.value = value
  }
}
