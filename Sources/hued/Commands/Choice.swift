/// Flags of which at most one, or exactly one, may be given.
struct Choice {
  let flags: [String]
  let isRequired: Bool

  init(_ flags: [String], isRequired: Bool = false) {
    self.flags = flags
    self.isRequired = isRequired
  }
}
