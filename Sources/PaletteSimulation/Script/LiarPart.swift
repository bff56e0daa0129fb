/// What a liar hopes to be believed as.
enum LiarPart: Hashable, Sendable, CaseIterable {
  case viewer, editor, guestEditor, guestRelay, hub
}
