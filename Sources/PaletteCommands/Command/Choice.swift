/// Flags of which at most one, or exactly one, may be given.
package struct Choice: Sendable {
  package let flags: [String]
  package let isRequired: Bool

  package init(_ flags: [String], isRequired: Bool = false) {
    self.flags = flags
    self.isRequired = isRequired
  }
}
