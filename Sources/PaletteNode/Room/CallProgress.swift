internal import PaletteCommands
internal import PaletteJSON

/// Tells a client how far its call is, some times a second.
final class CallProgress {
  private static let interval: Duration = .milliseconds(100)

  private let id: JSON
  private let piece: RequestPiece?
  private let send: ([UInt8]) -> Void
  private var last: ContinuousClock.Instant?

  /// - Parameters:
  ///   - id: The call's id.
  ///   - piece: Which piece of the call is carried out, where there are several.
  ///   - send: Sends a message to the client.
  init(_ id: JSON, piece: RequestPiece?, send: @escaping ([UInt8]) -> Void) {
    self.id = id
    self.piece = piece
    self.send = send
  }

  /// Takes in how far the call, or the piece of it, is.
  func update(_ progress: Progress) {
    let now = ContinuousClock.now
    if let last, now - last < Self.interval { return }
    let pieces = piece?.whole.pieces ?? []
    guard let whole = PreparedCall.progress(progress, ofPiece: piece?.number ?? 0, of: pieces)
    else { return }
    last = now
    let parameters = JSON([(key: "id", value: id)] + whole.members)
    send(RPCResponder.notification("progress", parameters.bytes))
  }
}
