/// A message whose bytes any number of connections of one loop can share.
package struct OutgoingMessage {
  let frame: Frame

  /// Copies the bytes, once.
  package init(_ bytes: some Collection<UInt8>, as kind: Message.Kind) {
    frame = Frame(bytes, kind: kind)
  }
}
