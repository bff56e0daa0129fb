internal import PalettePeers
internal import PaletteStore

/// The images that a hub makes of its open libraries, one at a time.
///
/// A library is copied in steps between which its thread does everything else; what is left is done beside it.
final class ImageKeeper {
  /// A library of which an image is made.
  struct Subject {
    /// The open library.
    let store: ChangeStore
    /// The claim on it.
    let claim: LogClaim
    /// Its log.
    let owned: OwnedLog
    /// The name of a temporary file.
    let path: String
  }

  private enum Stage {
    case resting
    case copying(SharedLibraryID, Subject, ImageWriter)
    /// Sending ends by itself: where the library has changed hands, by a fence.
    case sending(SharedLibraryID)
  }

  /// The time after which an image that failed is tried again.
  private static let pause = Duration.seconds(30)

  private let rooms: any FleetRooms
  private let log: any SharedLog
  /// Gives a library that is open, and whose log has grown enough.
  private let subject: (SharedLibraryID) -> Subject?
  private var stage = Stage.resting
  private var waiting: [SharedLibraryID] = []
  private var isPausing = false
  /// The number of images that were made.
  private(set) var made = 0

  /// Begins to make images.
  ///
  /// - Parameters:
  ///   - rooms: The process.
  ///   - log: The connection that no loop waits for.
  ///   - subject: Gives a library that is open, and whose log has grown enough.
  init(
    _ rooms: any FleetRooms,
    _ log: any SharedLog,
    of subject: @escaping (SharedLibraryID) -> Subject?
  ) {
    self.rooms = rooms
    self.log = log
    self.subject = subject
  }

  /// Makes an image of a library, after those that wait already.
  func need(_ id: SharedLibraryID) {
    guard !waiting.contains(id) else { return }
    switch stage {
    case .copying(id, _, _), .sending(id): return
    case .resting, .copying, .sending: waiting.append(id)
    }
    begin()
  }

  /// Lets go of a library that is about to be closed.
  func cancel(_ id: SharedLibraryID) {
    waiting.removeAll { $0 == id }
    guard case .copying(id, _, _) = stage else { return }
    stage = .resting
    begin()
  }

  private func begin() {
    while case .resting = stage, !isPausing, !waiting.isEmpty {
      let id = waiting.removeFirst()
      guard let subject = subject(id) else { continue }
      do {
        let writer = try ImageWriter(of: subject.store, at: subject.path)
        stage = .copying(id, subject, writer)
        step()
      } catch {
        fail(id, error)
      }
    }
  }

  private func step() {
    rooms.schedule(after: .zero) { [weak self] in self?.copy() }
  }

  private func copy() {
    guard case .copying(let id, let subject, let writer) = stage else { return }
    do {
      guard let copy = try writer.advance() else { return step() }
      stage = .sending(id)
      send(id, subject.claim, copy, from: subject.owned)
    } catch {
      fail(id, error)
    }
  }

  private func send(
    _ id: SharedLibraryID,
    _ claim: LogClaim,
    _ copy: ImageCopy,
    from owned: OwnedLog
  ) {
    let covered = owned.growth?.behind ?? 0
    rooms.perform(with: log, isSlow: true) { log in
      let image = try ImageFile(copy)
      guard let number = image.position?.number else {
        throw StoreError(code: .failed, message: "the library has no place in its log")
      }
      var upload = ImageUpload(image, as: claim, number: number)
      try upload.send(to: log)
      try upload.finish(in: log)
      return upload.bytes
    } then: { [weak self, weak owned] result in
      switch result {
      case .success(let bytes):
        owned?.imageWasMade(bytes: bytes, covering: covered)
        self?.made += 1
        self?.end()
      case .failure(let error): self?.fail(id, error)
      }
    }
  }

  private func end() {
    stage = .resting
    begin()
  }

  /// Rests for a while; a library whose log has grown enough is asked for again.
  private func fail(_ id: SharedLibraryID, _ error: any Error) {
    if (error as? SharedLogError)?.outcome != .fenced {
      rooms.tell(.fleet, isProblem: true, "no image was made of library \(id): \(error)")
    }
    stage = .resting
    isPausing = true
    rooms.schedule(after: Self.pause) { [weak self] in
      self?.isPausing = false
      self?.begin()
    }
  }
}
