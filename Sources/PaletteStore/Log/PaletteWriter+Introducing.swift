import PaletteModel

extension PaletteWriter {
  /// Writes the author's name before its first change in the palette, and after it got another name.
  func introduceAuthor(_ node: NodeID) throws(StoreError) {
    guard !isIntroduced else { return }
    isIntroduced = true
    let text =
      authorID == .library ? store.nameOfOwner() : try store.authors.name(of: authorID) ?? ""
    guard let name = TextRule.name.cleaned(text) else { return }
    let claim = AuthorClaim(palette: id, node: node)
    guard store.cache.introduction(claim) != name else { return }
    let record = RecordID.author(node)
    let state = try state(of: record)
    if state.isVisible, try shown(.name, of: record)?.value == RegisterValue(text: name) {
      // Only what was read is remembered: what is written may be taken back.
      store.cache.setIntroduction(name, claim)
      return
    }
    store.cache.setIntroduction(nil, claim)
    let value = RegisterValue(text: name)
    try author(state.values.isEmpty ? .add(record, [.name: value]) : .set(record, [.name: value]))
  }
}

/// Where an author says what it is called.
struct AuthorClaim: Hashable {
  let palette: PaletteID
  let node: NodeID
}
