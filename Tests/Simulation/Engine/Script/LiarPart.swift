/// The role in which a liar hopes to be believed.
enum LiarPart: Hashable, Sendable, CaseIterable {
  case viewer, editor, guestEditor, guestRelay, hub
  /// An editor of one palette and a viewer of another.
  case guestOfTwo

  /// Those of whom there is one in some lives; some of the guests are guests of two palettes.
  static let drawn: [LiarPart] = [.viewer, .editor, .guestEditor, .guestRelay, .hub]
}
