import PaletteFleet
import PaletteStore
import Testing

/// Libraries in a log, as a program makes them.
enum FleetFixture {
  /// Gives a library to a log, as a jump from nothing.
  static func publish(
    _ store: ChangeStore,
    as name: String,
    to log: any SharedLog,
    image path: String,
    schema: Int = ChangeStore.formatVersion
  ) throws {
    var random = SystemRandomNumberGenerator()
    let (id, maker) = (SharedLibraryID.random(using: &random), HubID.random(using: &random))
    #expect(try log.create(id, named: name, schema: 0))
    let library = try #require(try log.look(name))
    let state = try #require(
      try log.take(library, because: .free, for: maker, schema: ChangeStore.formatVersion)
    )
    let claim = LogClaim(id, hub: maker, epoch: state.epoch)
    var upload = ImageUpload(try image(of: store, at: path), as: claim, number: 1)
    try upload.send(to: log)
    #expect(try upload.jump(behind: .start, in: log, schema: schema).number == 1)
    #expect(try log.letGo(claim))
  }

  /// Makes an image of an open library.
  static func image(of store: ChangeStore, at path: String) throws -> ImageFile {
    let writer = try ImageWriter(of: store, at: path)
    var copy: ImageCopy?
    while copy == nil { copy = try writer.advance() }
    return try ImageFile(try #require(copy))
  }
}
