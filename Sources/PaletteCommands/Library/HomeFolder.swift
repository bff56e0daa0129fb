package import PaletteMerge
internal import PalettePlatform
package import PaletteStore

/// A home that is held open, so that its socket can be named however long the home's path is.
package final class HomeFolder: Sendable {
  private let folder: FileDescriptor

  /// Opens a folder.
  package init(_ path: String) throws(StoreError) {
    folder = try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY)
  }

  /// The socket of the node that has the library open.
  package var socketPath: String { "/proc/self/fd/\(folder.rawValue)/node.sock" }

  /// A descriptor that is connected to the socket; nil when nobody listens.
  ///
  /// - Parameter seconds: How long connecting, and each wait to send, may take at most; 0 for any time.
  /// - Returns: The descriptor; nil with `EAGAIN` in `errno` when it took longer, which it does where a
  ///   node is stopped.
  package func connectedSocket(withinSeconds seconds: Int = 0) -> CInt? {
    let descriptor = Platform.openSocket(AF_UNIX)
    guard descriptor >= 0 else { return nil }
    Platform.limitWaiting(on: descriptor, to: SO_SNDTIMEO, seconds: seconds)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    if result == 0 { return descriptor }
    let reason = errno
    close(descriptor)
    errno = reason
    return nil
  }
}

/// Opens the library in a folder for one call.
package final class FolderAccess: LibraryAccess {
  package let location: LibraryLocation
  /// The library that was opened for writing.
  private var written: ChangeStore?

  private let note: (String) -> Void
  private let progress: ProgressReport

  /// Opens nothing yet.
  ///
  /// - Parameters:
  ///   - location: Where the library is.
  ///   - note: Receives what a person should know beside the answer.
  ///   - progress: Receives the progress of long work.
  package init(
    location: LibraryLocation,
    note: @escaping (String) -> Void = { _ in },
    progress: @escaping ProgressReport = { _ in }
  ) {
    self.location = location
    self.note = note
    self.progress = progress
  }

  package var sharing: (any Sharing)? { nil }
  package var linking: (any Linking)? { nil }
  package var ownName: String { OwnName(configurationFile: location.configurationFile).text }
  package var now: Moment { Moment(milliseconds: systemMilliseconds()) }

  package var listening: [String]? { nil }

  package func report(_ progress: Progress) throws(APIError) { try self.progress(progress) }

  package func reading() throws -> ChangeStore? {
    let folder = try LibraryFolder(location.home)
    do throws(StoreError) {
      return try ChangeStore.reading(folder)
    } catch  where error.code == .olderFormat {
      // Opening for writing migrates it; where that cannot be done, nobody can read it.
      return try ChangeStore(writing: folder)
    }
  }

  package func editing() throws -> ChangeStore? {
    let folder = try LibraryFolder(location.home)
    return try folder.exists ? creating() : nil
  }

  package func creating() throws -> ChangeStore {
    if let written { return written }
    let folder = try LibraryFolder(location.home)
    let closing = folder.noteOnClosing
    let store = try ChangeStore(writing: folder)
    if let closing { note(closing) }
    let name = ownName
    store.nameOfOwner = { name }
    written = store
    return store
  }

  /// Closes the library after an edit, so that a node may open it.
  ///
  /// - Parameter palette: The palette, as it was given; nil where that does not say which it is.
  /// - Returns: Whether a joined peer is to get the edit.
  package func close(afterEditing palette: String?) -> Bool {
    defer { written = nil }
    guard let written, let peers = try? written.peers.all() else { return false }
    let edited = palette.flatMap { try? written.visiblePalette($0).id }
    return peers.contains { $0.takes(edited) }
  }
}
