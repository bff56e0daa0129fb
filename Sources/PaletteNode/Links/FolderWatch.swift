internal import PalettePlatform
internal import WebSocket

/// Tells what happens to names in folders, by inotify, on the thread of a loop.
///
/// Linux only.
final class FolderWatch {
  /// The event of a name.
  enum News {
    /// Somebody writes to the file, and is not done.
    case begun
    /// The file, or the target of its name, may have been replaced.
    case changed
    /// The folder went, or events were lost: anything may have happened to any name.
    case anything
  }

  private let descriptor: Int32
  private var folders: [Int32: String] = [:]
  private var watched: [String: Int32] = [:]
  /// Receives each piece of news; folder and name are empty where it is about all.
  private let onNews: (_ folder: String, _ name: String, News) -> Void

  private static let mask = UInt32(
    IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB | IN_ONLYDIR
  )

  /// Begins to listen; nil where the system gives no descriptor for it.
  init?(_ loop: EventLoop, onNews: @escaping (String, String, News) -> Void) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    self.onNews = onNews
    guard descriptor >= 0 else { return nil }
    guard loop.watch(descriptor, { [weak self] in self?.readAll() }) else {
      close(descriptor)
      return nil
    }
  }

  /// Watches these folders and no others.
  func watch(_ wanted: Set<String>) {
    for (folder, number) in watched where !wanted.contains(folder) {
      inotify_rm_watch(descriptor, number)
      watched[folder] = nil
      folders[number] = nil
    }
    // Adding one that is watched changes nothing, and finds one that was made again.
    for folder in wanted {
      let number = inotify_add_watch(descriptor, folder, Self.mask)
      guard number >= 0, watched[folder] != number else { continue }
      watched[folder] = number
      folders[number] = folder
    }
  }

  private func readAll() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          let name = buffer[start..<min(start + Int(event.len), count)].prefix { $0 != 0 }
          tell(event, name: String(decoding: name, as: UTF8.self))
          offset = start + Int(event.len)
        }
      }
    }
  }

  private func tell(_ event: inotify_event, name: String) {
    let mask = Int(event.mask)
    let ends = Int(IN_DELETE_SELF) | Int(IN_MOVE_SELF) | Int(IN_IGNORED) | Int(IN_Q_OVERFLOW)
    guard mask & ends == 0 else {
      if mask & (Int(IN_IGNORED) | Int(IN_MOVE_SELF)) != 0,
        let folder = folders.removeValue(forKey: event.wd)
      {
        if mask & Int(IN_MOVE_SELF) != 0 { inotify_rm_watch(descriptor, event.wd) }
        if watched[folder] == event.wd { watched[folder] = nil }
      }
      return onNews("", "", .anything)
    }
    guard let folder = folders[event.wd], !name.isEmpty else { return }
    onNews(folder, name, mask & Int(IN_MODIFY) != 0 ? .begun : .changed)
  }
}
