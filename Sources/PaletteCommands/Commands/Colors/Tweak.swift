internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let tweak = Command(
    "tweak",
    .colors,
    .edit,
    view: .record("Tweaked"),
    summary: "Makes a color lighter or darker",
    details: [
      "Adds or subtracts PERCENT points of HSL lightness, 10 when not given; hue, saturation "
        + "and alpha stay."
    ],
    positionals: [.palette, .color],
    flags: [
      Flag(
        "lighter",
        value: .optional("PERCENT"),
        "add lightness, 10 points when not given",
        content: .percent
      ),
      Flag(
        "darker",
        value: .optional("PERCENT"),
        "take lightness away, 10 points when not given",
        content: .percent
      ),
    ],
    choices: [Choice(["lighter", "darker"], isRequired: true)],
    examples: [
      .init("hued tweak Sunset Orange --lighter", "add 10 points of lightness"),
      .init("hued tweak Sunset Orange --darker 25", "take 25 points away"),
    ],
    otherNames: ["lighter", "darker"],
    parameters: [
      Positional.palette.parameter, Positional.color.parameter,
      Parameter("direction", .word(["lighter", "darker"]), "which way"),
      Parameter("percent", .number, "how many points, 10 when not given").optional, .seen,
    ]
  ) { call in
    let points = try call.parameters.optionalNumber("percent") ?? 10
    guard points >= 0 else {
      throw APIError(
        code: "bad-value",
        message: "\(points) is no number of percent points",
        hint: "write one from 0 to 100"
      )
    }
    let argument = try call.parameters.text("color")
    let isLighter = try Command.isLighter(call.parameters.text("direction"))
    let (store, palette) = try call.editedPalette()
    let record = try store.listedColor(argument, in: palette.id)
    let seen = try call.seen(of: record, in: palette.id, store)
    // Lighter than what the caller saw, whatever others made of it meanwhile.
    let known = try seen.flatMap { try store.value(of: .color, seenIn: $0, in: palette.id)?.color }
    guard let color = try known ?? store.record(record, in: palette.id)?.color else {
      throw APIError.incomplete(record)
    }
    let tweaked = isLighter ? color.lighter(by: points) : color.darker(by: points)
    try store.act(
      [.set(record, [.color: RegisterValue(color: tweaked)]).seeing(seen)],
      in: palette.id,
      by: call.author
    )
    return try store.answer(about: record, in: palette.id)
  }
  .translating { arguments in
    var parameters = arguments
    let direction = arguments["lighter"] == nil ? "darker" : "lighter"
    parameters["lighter"] = nil
    parameters["darker"] = nil
    parameters["direction"] = .string(direction)
    if let percent = arguments[direction], percent.numberValue != nil {
      parameters["percent"] = percent
    }
    return parameters
  }
}

extension Command {
  fileprivate static func isLighter(_ direction: String) throws(APIError) -> Bool {
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
}
