import PalettePlatform
public import PaletteStore

/// A folder for a library, deleted with everything in it at the end of its life.
public final class TemporaryLibrary {
  /// The folder.
  public let folder: LibraryFolder
  private let path: String

  /// Makes an empty folder in memory, where the system has a place for that.
  public convenience init(inMemory: Void) throws {
    try self.init(under: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
  }

  /// Makes an empty folder under another one.
  public init(under parent: String = "/tmp") throws {
    var template = Array("\(parent)/hued-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(code: .cannotOpen, message: "no temporary folder under \(parent)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    folder = try LibraryFolder(path + "/home")
  }

  deinit {
    Self.delete(path)
  }

  private static func delete(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { delete("\(path)/\(name)") }
      }
      closedir(folder)
    }
    remove(path)
  }
}
