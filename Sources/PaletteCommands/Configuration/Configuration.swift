internal import PaletteJSON

/// The settings of one user, in a JSON file that people may edit.
///
/// A file that is not there is a file without settings. Keys that this version does not know are
/// kept when another is set.
public struct Configuration: Sendable {
  /// The path of the settings.
  private let path: String
  private var members: JSONObject

  /// Reads the settings.
  /// - Throws: `bad-value` when the file is not a JSON object of settings with their values.
  public init(readingFrom path: String) throws(APIError) {
    self.path = path
    members = try Self.members(of: try StoredFile.read(path) ?? Array("{}".utf8), from: path)
    for setting in Setting.allCases {
      guard let value = members[setting.rawValue] else { continue }
      do {
        _ = try setting.checked(value)
      } catch {
        throw APIError(code: error.code, message: "'\(path)': \(error.message)", hint: error.hint)
      }
    }
  }

  /// The choice of when colors are shown as swatches: `auto`, `always` or `never`.
  public var color: String { value(of: .color).stringValue ?? "auto" }

  /// After how many seconds a command gives up, nil for never.
  public var timeoutSeconds: Double? { value(of: .timeout).numberValue }

  /// The name that the owner of the library wants to have.
  public var name: String { value(of: .name).stringValue ?? OwnName.system }

  /// The value of a setting, or its default.
  func value(of setting: Setting) -> JSON { members[setting.rawValue] ?? setting.defaultValue }

  /// The origin of a setting's value: the path of the file, or `default`.
  func origin(of setting: Setting) -> String {
    members[setting.rawValue] == nil ? "default" : path
  }

  /// Changes a setting in the file.
  mutating func set(_ setting: Setting, to value: JSON) throws(APIError) {
    members[setting.rawValue] = try setting.checked(value)
    try StoredFile.replace(path, with: JSON.object(members).bytes + [UInt8(ascii: "\n")])
  }

  private static func members(of bytes: [UInt8], from path: String) throws(APIError) -> JSONObject {
    let reason: String
    do {
      if let members = try JSON(parsing: bytes).objectValue { return members }
      reason = "not a JSON object"
    } catch {
      reason = error.description
    }
    throw APIError(code: "bad-value", message: "'\(path)' holds no settings: \(reason)")
  }
}
