import PaletteCommands
import PaletteStore
import PaletteTestSupport

@testable import PaletteNode

extension OpenLibrary {
  /// Opens a library of a test as a node does.
  convenience init(in library: TemporaryLibrary) throws {
    self.init(
      location: LibraryLocation(home: library.folder.path, configurationFile: ""),
      store: try ChangeStore(writing: library.folder),
      urls: []
    )
  }
}
