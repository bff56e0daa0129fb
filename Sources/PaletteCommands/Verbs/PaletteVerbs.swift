internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// The commands about whole palettes.
enum PaletteVerbs {
  /// `palettes`: all that are not dropped, by name and then by id.
  static func palettes(_ call: LibraryCall) throws -> [UInt8] {
    var palettes: [PaletteSummary] = []
    if let store = try call.library.reading() {
      palettes = try store.read { try store.visiblePalettes() }
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.members(of: palettes)
    writer.endObject()
    return writer.bytes
  }

  /// `new NAME`: an empty palette with a name that no other has.
  static func new(_ call: LibraryCall) throws -> [UInt8] {
    let name = try call.parameters.name("name")
    let store = try call.library.creating()
    try Limit.checkPalettes(try checkIsFree(name, in: store) + 1)
    var random = SystemRandomNumberGenerator()
    let id = PaletteID(RecordID(using: &random))
    try store.write(as: call.author) { transaction throws(StoreError) in
      try transaction.palette(beginning: id).begin(named: name)
    }
    return try store.paletteAnswer(id)
  }

  /// `title PALETTE NAME`: another name, that no other palette has.
  static func title(_ call: LibraryCall) throws -> [UInt8] {
    let name = try call.parameters.name("name")
    let (store, palette) = try call.editedPalette()
    try checkIsFree(name, in: store, except: palette.id)
    try store.write(as: call.author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette.id) else { return }
      let value = RegisterValue(text: name)
      let live = try writer.state(of: palette.id.record).values(of: .name)
      // Where several names meet, even the one that is shown has to be written to decide.
      guard live.contains(where: { $0.value != value }) else { return }
      try writer.author(.set(palette.id.record, [.name: value]))
    }
    return try store.paletteAnswer(palette.id)
  }

  /// `drop PALETTE`: hides a palette with everything in it that is known here.
  static func drop(_ call: LibraryCall) throws -> [UInt8] {
    let (store, palette) = try call.editedPalette()
    try store.write(as: call.author) { transaction throws(StoreError) in
      _ = try transaction.palette(palette.id)?.author(.drop(palette.id))
    }
    return try store.paletteAnswer(palette.id)
  }

  /// `restore PALETTE`: brings back a palette that was dropped, or that a snapshot removed.
  static func restore(_ call: LibraryCall) throws -> [UInt8] {
    let argument = try call.parameters.text("palette")
    guard let store = try call.library.editing() else { throw LibraryCall.missing(argument) }
    let palettes = try store.palettes()
    let dropped = palettes.filter(\.isDropped).map { ($0.id, $0.name) }
    let hidden = try dropped + store.removedPaletteNames()
    let candidates = hidden.map { Lookup.Candidate(id: $0.0.record, name: $0.1) }
    if Lookup.palette.matches(of: argument, among: candidates).isEmpty {
      let visible = palettes.filter { !$0.isDropped }.map(\.candidate)
      if !Lookup.palette.matches(of: argument, among: visible).isEmpty {
        throw APIError(code: "not-removed", message: "the palette '\(argument)' is not dropped")
      }
    }
    let (id, name) = hidden[try Lookup.droppedPalette.index(of: argument, among: candidates)]
    try Limit.checkPalettes(palettes.count - dropped.count + 1)
    // What a snapshot removed together with the palette's name comes back with it.
    let isNameless = try store.summary(of: id) == nil
    let colors = isNameless ? try store.restoringRemovals(of: id) : []
    try store.write(as: call.author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(id) else { return }
      try writer.author(.restore(id.record, [.name: RegisterValue(text: name)]))
      try writer.act(colors)
    }
    return try store.paletteAnswer(id)
  }

  /// Refuses the name of another palette.
  ///
  /// - Returns: How many palettes there are.
  @discardableResult
  private static func checkIsFree(
    _ name: String,
    in store: ChangeStore,
    except own: PaletteID? = nil
  ) throws -> Int {
    let names = try store.paletteNames()
    let other = try names.filter { $0.id != own && $0.name.hasSameBytes(as: name) }
      .compactMap { try store.summary(of: $0.id) }.first { !$0.isDropped }
    guard let other else {
      // Only near the limit does it matter how many of them are dropped.
      return names.count < Limit.palettes ? names.count : try store.visiblePalettes().count
    }
    throw APIError(
      code: "exists",
      message: "there is a palette '\(name)' already",
      hint: "its id is \(other.id)"
    )
  }
}

extension PaletteWriter {
  /// Makes the palette's own record, which is how a palette begins.
  func begin(named name: String) throws(StoreError) {
    try author(.add(id.record, [.name: RegisterValue(text: name)]))
  }
}
