internal import PaletteFormats

/// `config`, `config get KEY` and `config set KEY VALUE`.
enum ConfigurationVerb {
  /// All settings, or the one that was asked for or changed, each with its origin.
  static func answer(_ parameters: Parameters, file: String) throws(APIError) -> [UInt8] {
    var configuration = try Configuration(readingFrom: file)
    var writer = JSONWriter()
    switch try parameters.optionalText("action") ?? "list" {
    case "list":
      writer.beginObject()
      writer.key("settings")
      writer.beginArray()
      for setting in Setting.allCases { writer.setting(setting, of: configuration) }
      writer.endArray()
      writer.endObject()
    case "get":
      writer.setting(try Setting(key: try parameters.text("key")), of: configuration)
    case "set":
      let setting = try Setting(key: try parameters.text("key"))
      try configuration.set(setting, to: try setting.value(of: try parameters.text("value")))
      writer.setting(setting, of: configuration)
    case let action:
      throw APIError(
        code: "bad-usage",
        message: "there is no action '\(action)'",
        hint: "it is get or set"
      )
    }
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes `{"key","value","origin"}`.
  fileprivate mutating func setting(_ setting: Setting, of configuration: Configuration) {
    beginObject()
    member("key", setting.rawValue)
    member("value", configuration.value(of: setting))
    member("origin", configuration.origin(of: setting))
    endObject()
  }
}
