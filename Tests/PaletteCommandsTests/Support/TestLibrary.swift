import Foundation
import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteStore
import Testing

@testable import PaletteCommands

/// A library in a temporary home, and calls of its API.
final class TestLibrary {
  let folder: TemporaryFolder
  let home: String

  init(_ name: String = "home ü") throws {
    folder = try TemporaryFolder()
    home = folder.file(name)
  }

  /// A library with one palette, `Sea`, and colors named `a`, `b`, `c` and so on.
  convenience init(colors: [String]) throws {
    try self.init()
    try call("new", ["name": "Sea"])
    for (color, name) in zip(colors, "abcdefgh") {
      try call("add", ["palette": "Sea", "value": JSON(color), "name": JSON(String(name))])
    }
  }

  var library: FolderAccess {
    FolderAccess(location: LibraryLocation(home: home, configurationFile: home + "/config.json"))
  }

  @discardableResult
  func call(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
    let answer = try library.call(Request(method: method, parameters: parameters))
    // Whoever reads the document finds what whoever shows the value does.
    let document = try JSON(parsing: answer.bytes)
    #expect(try document == answer.json)
    let mismatch = CommandTable.command(named: method)?.result.mismatch(with: document)
    #expect(mismatch == nil, "\(method) is not as it is described at \(mismatch ?? "")")
    return document
  }

  /// The code of the error that a call must end with.
  func code(_ method: String, _ parameters: JSON = [:]) throws -> String {
    try #require(throws: APIError.self) { try self.call(method, parameters) }.code
  }

  /// The names of the colors of `Sea`, in order.
  func names() throws -> [String] {
    try #require(try call("list", ["palette": "Sea"])["colors"]?.arrayValue)
      .compactMap { $0["name"]?.stringValue }
  }

  func digest() throws -> String {
    try #require(try call("status")["digest"]?.stringValue)
  }

  /// The id of a color of `Sea`.
  func id(_ name: String) throws -> String {
    let colors = try #require(try call("list", ["palette": "Sea"])["colors"]?.arrayValue)
    return try #require(
      colors.first { $0["name"]?.stringValue == name }?["id"]?.stringValue
    )
  }

  /// Lets another node take what this library has of `Sea`, edit it, and give everything back.
  func editElsewhere(
    _ edits: [(String, Register, RegisterValue)],
    by author: String = ""
  ) throws {
    let mine = try ChangeStore(writing: try LibraryFolder(home))
    let palette = try #require(try mine.palettes().first { $0.name == "Sea" }).id
    let elsewhere = try ChangeStore(writing: try LibraryFolder(folder.file("elsewhere")))
    try Self.give(palette, from: mine, to: elsewhere)
    elsewhere.nameOfOwner = { author }
    let names = try elsewhere.names(of: palette)
    try elsewhere.write { transaction throws(StoreError) in
      let writer = try transaction.palette(beginning: palette)
      for (name, register, value) in edits {
        guard let record = names.first(where: { $0.name == name })?.id else { continue }
        try writer.act([.set(record, [register: value])])
      }
    }
    // What happens meanwhile here makes the edits concurrent.
    pending = { try Self.give(palette, from: elsewhere, to: $0) }
  }

  private var pending: ((ChangeStore) throws -> Void)?

  /// Merges what was edited elsewhere.
  func receive() throws {
    try pending?(try ChangeStore(writing: try LibraryFolder(home)))
  }

  private static func give(
    _ palette: PaletteID,
    from source: ChangeStore,
    to target: ChangeStore
  ) throws {
    let changes = try source.history(of: palette).sorted { $0.dot < $1.dot }
    try target.write { transaction throws(StoreError) in
      let writer = try transaction.palette(beginning: palette)
      for change in changes { try writer.merge(change.encoded) }
    }
  }
}

extension JSON {
  /// The keys of an object in their order.
  var keys: [String] { objectValue?.members.map(\.key) ?? [] }

  /// The same without what records say of their live values.
  var withoutSeen: JSON {
    switch self {
    case .array(let elements): .array(elements.map(\.withoutSeen))
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { $0.key != "seen" }.map { .init($0.key, $0.value.withoutSeen) }
        )
      )
    default: self
    }
  }
}
