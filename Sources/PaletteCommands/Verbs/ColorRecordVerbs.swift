internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// The commands that write one register of a color.
enum ColorRecordVerbs {
  /// `set PALETTE COLOR VALUE`: another color value.
  static func set(_ call: LibraryCall) throws -> Reply {
    try write(.color, RegisterValue(color: try call.parameters.color("value")), call)
  }

  /// `rename PALETTE COLOR NAME`: another name.
  static func rename(_ call: LibraryCall) throws -> Reply {
    try write(.name, RegisterValue(text: try call.parameters.name("name")), call)
  }

  /// `note PALETTE COLOR TEXT`: another note; an empty one is none.
  static func note(_ call: LibraryCall) throws -> Reply {
    try write(.note, RegisterValue(text: try call.parameters.note("text")), call)
  }

  /// `tweak PALETTE COLOR`: more or less lightness.
  static func tweak(_ call: LibraryCall) throws -> Reply {
    let points = try call.parameters.optionalNumber("percent") ?? 10
    guard points >= 0 else {
      throw APIError(
        code: "bad-value",
        message: "\(points) is no number of percent points",
        hint: "write one from 0 to 100"
      )
    }
    let argument = try call.parameters.text("color")
    let isLighter = try isLighter(call.parameters.text("direction"))
    let (store, palette) = try call.editedPalette()
    let record = try store.listedColor(argument, in: palette.id)
    let seen = try call.seen(of: record, in: palette.id, store)
    // Lighter than what the caller saw, whatever others made of it meanwhile.
    let known = try seen.flatMap { try store.value(of: .color, seenIn: $0, in: palette.id)?.color }
    guard let color = try known ?? store.record(record, in: palette.id)?.color else {
      return .document([])
    }
    let tweaked = isLighter ? color.lighter(by: points) : color.darker(by: points)
    try store.act(
      [.set(record, [.color: RegisterValue(color: tweaked)]).seeing(seen)],
      in: palette.id,
      by: call.author
    )
    return try store.reply(about: record, in: palette.id)
  }

  private static func isLighter(_ direction: String) throws -> Bool {
    switch direction {
    case "lighter": return true
    case "darker": return false
    default:
      throw APIError(
        code: "bad-usage",
        message: "there is no direction '\(direction)'",
        hint: "it is lighter or darker"
      )
    }
  }

  private static func write(
    _ register: Register,
    _ value: RegisterValue,
    _ call: LibraryCall
  ) throws -> Reply {
    let argument = try call.parameters.text("color")
    let (store, palette) = try call.editedPalette()
    let record = try store.listedColor(argument, in: palette.id)
    let seen = try call.seen(of: record, in: palette.id, store)
    if register == .note, value == RegisterValue(text: ""),
      try store.liveValues(of: record, in: palette.id).allSatisfy({ $0.value.register != .note })
    {
      // A note that was never written is empty already.
      return try store.reply(about: record, in: palette.id)
    }
    try store.act([.set(record, [register: value]).seeing(seen)], in: palette.id, by: call.author)
    return try store.reply(about: record, in: palette.id)
  }
}
