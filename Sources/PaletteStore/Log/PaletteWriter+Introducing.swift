public import PaletteModel

extension PaletteWriter {
  /// Writes the author's name before its first change in the palette, and after it got another name.
  func introduceAuthor(_ node: NodeID) throws(StoreError) {
    guard !isIntroduced else { return }
    isIntroduced = true
    let text =
      authorID == .library ? store.nameOfOwner() : try store.name(of: authorID) ?? ""
    guard let name = TextRule.name.cleaned(text) else { return }
    let claim = AuthorClaim(palette: id, node: node)
    guard store.introductions[claim] != name else { return }
    let record = RecordID.author(node)
    let state = try state(of: record)
    if state.isVisible, try shown(.name, of: record)?.value == RegisterValue(text: name) {
      // Only what was read is remembered: what is written may be taken back.
      store.introductions[claim] = name
      return
    }
    store.introductions[claim] = nil
    let value = RegisterValue(text: name)
    try author(state.values.isEmpty ? .add(record, [.name: value]) : .set(record, [.name: value]))
  }
}

/// Where an author says what it is called.
struct AuthorClaim: Hashable {
  let palette: PaletteID
  let node: NodeID
}

extension ChangeStore {
  /// What the author of changes in a palette says to be called; nil where it says nothing.
  ///
  /// Others may write into its record: that counts for nothing.
  public func claimedName(of node: NodeID, in id: PaletteID) throws(StoreError) -> String? {
    try claim(of: node, in: id)?.name
  }

  /// The number of the change by which an author says what it is called; nil where there is none.
  func introduction(of node: NodeID, in id: PaletteID) throws(StoreError) -> UInt32? {
    try claim(of: node, in: id)?.sequence
  }

  private func claim(
    of node: NodeID,
    in id: PaletteID
  ) throws(StoreError) -> (name: String, sequence: UInt32)? {
    let select = try box(.claimedName)
    try select.statement.bind(id.record, at: 1)
    try select.statement.bind(Int64(bitPattern: node.rawValue), at: 2)
    try select.statement.bind(RecordID.author(node), at: 3)
    return try select.statement.row { ($0.text(0), UInt32(truncatingIfNeeded: $0.int64(1))) }
  }
}
