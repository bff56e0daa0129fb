package import PaletteJSON

extension Command {
  package static let config = Command(
    "config",
    .care,
    .fact,
    view: .settings,
    summary: "Shows or changes settings",
    details: [
      "Without arguments every setting is printed, with where its value comes from. The settings "
        + "are color (auto, always or never), timeout (a number of seconds, or none) and name (what "
        + "others see beside your edits)."
    ],
    positionals: [
      Positional(
        "ACTION",
        "get or set",
        need: .optional,
        content: .word(["get", "set"])
      ),
      Positional("KEY", "the name of the setting", need: .optional),
      Positional("VALUE", "its new value, for set", need: .optional),
    ],
    examples: [
      .init("hued config", "show all settings"),
      .init("hued config get timeout", "print one value"),
      .init("hued config set color never", "change one"),
    ],
    otherNames: ["settings", "preferences"],
    access: .local,
    parameters: [
      Parameter("action", .word(["list", "get", "set"]), "what to do, list when not given")
        .optional,
      Parameter("key", .text(), "the setting").optional,
      Parameter("value", .text(), "its new value").optional,
    ]
  ) { call in
    let file = call.library.location.configurationFile
    var configuration = try Configuration(readingFrom: file)
    switch try call.parameters.optionalText("action") ?? "list" {
    case "list":
      return ConfigAnswer.all(Setting.allCases.map { SettingAnswer($0, of: configuration) })
    case "get":
      return .one(
        SettingAnswer(try Setting(key: try call.parameters.text("key")), of: configuration)
      )
    case "set":
      let setting = try Setting(key: try call.parameters.text("key"))
      try configuration.set(setting, to: try setting.value(of: try call.parameters.text("value")))
      return ConfigAnswer.one(SettingAnswer(setting, of: configuration))
    case let action:
      throw APIError(
        code: "bad-usage",
        message: "there is no action '\(action)'",
        hint: "it is get or set"
      )
    }
  }
  .with(\.isPaged)
  .with(\.worksWithoutSettings)
  .translating { arguments throws(APIError) in try Command.checked(arguments) }
}

extension Command {
  /// Checks that the command line has what its action needs.
  fileprivate static func checked(_ arguments: JSONObject) throws(APIError) -> JSONObject {
    let action = arguments["action"].stringValue ?? "list"
    let given = ["key", "value"].filter { arguments[$0].stringValue != nil }
    let needed =
      switch action {
      case "get": ["key"]
      case "set": ["key", "value"]
      default: [] as [String]
      }
    guard given == needed else {
      throw APIError(
        code: "bad-usage",
        message:
          "'hued config \(action)' takes \(needed.map { $0.uppercased() }.joined(separator: " "))",
        hint: "usage: hued config [get KEY | set KEY VALUE]"
      )
    }
    return JSONObject(
      [.init("action", .string(action))] + needed.map { .init($0, arguments[$0] ?? .null) }
    )
  }
}

/// All settings, or the one that was asked for or changed.
package enum ConfigAnswer: Answer, JSONRepresentable {
  case all([SettingAnswer])
  case one(SettingAnswer)

  package static let schema = Schema.either([
    SettingAnswer.schema, .object([("settings", [SettingAnswer].schema)]),
  ])

  package var json: JSON {
    switch self {
    case .all(let settings): ["settings": settings.json]
    case .one(let setting): setting.json
    }
  }
}

/// A setting, its value and where that comes from.
package struct SettingAnswer: ObjectAnswer {
  private let key: String
  private let value: JSON
  private let origin: String

  init(_ setting: Setting, of configuration: Configuration) {
    key = setting.rawValue
    value = configuration.value(of: setting)
    origin = configuration.origin(of: setting)
  }

  package static let fields: [Field<Self>] = [
    Field("key") { $0.key }, Field("value") { $0.value }, Field("origin") { $0.origin },
  ]
}

extension Received where Form == ConfigAnswer {
  /// All settings; nil where it is one.
  package var settings: [Received<SettingAnswer>]? {
    has("settings") ? parts("settings") : nil
  }
  package var setting: Received<SettingAnswer> { Received<SettingAnswer>(json) }
}

extension Received where Form == SettingAnswer {
  package var key: String { text("key") }
  /// The value, which may be of any kind.
  package var value: JSON? { json["value"] }
  package var origin: String { text("origin") }
}
