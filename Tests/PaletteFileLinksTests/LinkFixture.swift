import PaletteFileLinks
import PaletteFormats
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// A file in memory, linked to a palette of a real library.
final class LinkFixture {
  let store: ChangeStore
  let palette: PaletteID
  let format: any FileFormat
  var core: LinkCore
  /// The bytes of the file; nil where there is none.
  var file: [UInt8]?
  private(set) var writes = 0
  private(set) var edits = 0
  /// Why neither side follows the other now.
  private(set) var pause: String?
  private let folder: TemporaryLibrary?

  init(_ text: String, as format: String, named name: String) throws {
    let folder = try TemporaryLibrary(inMemory: ())
    self.folder = folder
    self.format = try FormatRegistry.standard.format(named: format)
    store = try ChangeStore(writing: folder.folder)
    palette = PaletteID(RecordID())
    file = Array(text.utf8)
    core = LinkCore(palette: palette, format: self.format)
    let id = palette
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: id).act([
        .add(id.record, [.name: RegisterValue(text: name)])
      ])
    }
  }

  /// A link of a library that others use too.
  init(store: ChangeStore, palette: PaletteID, file: [UInt8]?, as format: any FileFormat) {
    folder = nil
    self.store = store
    self.palette = palette
    self.format = format
    self.file = file
    core = LinkCore(palette: palette, format: format)
  }

  var text: String {
    get { String(decoding: file ?? [], as: UTF8.self) }
    set { file = Array(newValue.utf8) }
  }

  func replace(_ old: String, _ new: String) {
    #expect(text.contains(old))
    text = text.replacing(old, with: new)
  }

  var linked: LinkedPalette? {
    get throws { try store.linkedPalette(palette) }
  }
  var side: LinkCore.Side { file.map { .file(LinkedFile($0, as: format)) } ?? .missing }
  var list: [NamedColor] {
    get throws { try store.colors(of: palette).map(\.color) }
  }
  var ids: [RecordID] {
    get throws { try list.map(\.id) }
  }
  var colors: [String] {
    get throws { try list.map { "\($0.name) \($0.color.hex)" } }
  }

  /// The palette as a format is to write it, with other colors.
  func sheet(of colors: [NamedColor]) throws -> PaletteSheet {
    PaletteSheet(id: palette, name: "Brand", digest: "", colors: colors)
  }

  func add(_ name: String, _ css: String) throws {
    let color = NamedColor(name: name, color: try Color(css: css))
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      try writer.act(try writer.appending([color]))
    }
  }

  func set(_ index: Int, to css: String) throws {
    let value = RegisterValue(color: try Color(css: css))
    try store.act([.set(try ids[index], [.color: value])], in: palette)
  }

  func move(_ start: Int, to end: Int) throws {
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      try writer.act(try writer.moving(from: start, to: end, in: try store.colors(of: palette)))
    }
  }

  /// Goes on with what was kept, as a node that begins does.
  func restart() throws {
    core = LinkCore(palette: palette, format: format, kept: core.kept)
  }

  /// Begins to write the file, which is replaced or not, and ends before anything is known of that.
  func cutOffWrite(isDone: Bool = true) throws {
    guard case .write(let written, let version) = core.next(side, try linked) else {
      Issue.record("the palette is written")
      return
    }
    core.beginsWriting(written, version)
    if isDone { file = written.bytes }
  }

  /// Carries out steps until there is rest.
  func settle() throws {
    for _ in 0..<10 {
      pause = nil
      let linked = try linked
      switch core.next(side, linked) {
      case .rest: return
      case .remember(let version): core.remember(version)
      case .edit(let edit):
        let linked = try #require(linked)
        core.carriedOut(try store.carryOut(edit, in: linked, takesTitle: true, saving: nil))
        edits += 1
      case .write(let written, let version):
        core.beginsWriting(written, version)
        file = written.bytes
        core.wrote(version)
        writes += 1
      case .wait: Issue.record("a settled file is whole")
      case .pause(_, let reason):
        pause = reason
        return
      }
    }
    Issue.record("file and palette do not come to rest")
  }
}
