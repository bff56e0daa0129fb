internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

extension LibraryCall {
  func optionalPalette(in store: ChangeStore) throws -> PaletteID? {
    guard let argument = try parameters.optionalText("palette") else { return nil }
    return try store.visiblePalette(argument).id
  }

  func role(usual: Role) throws(APIError) -> Role {
    guard let word = try parameters.optionalText("role") else { return usual }
    guard let role = Role(rawValue: word) else {
      throw APIError(
        code: "bad-value",
        message: "there is no role '\(word)'",
        hint: "the roles are \(Role.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    return role
  }

  /// The end of a right: a duration from now, or a time.
  func expiry() throws(APIError) -> Moment? {
    guard let text = try parameters.optionalText("expires") else { return nil }
    if let duration = Duration(compact: text), duration > .zero {
      return library.now.advanced(by: duration)
    }
    if let moment = Moment(iso8601: text), moment.milliseconds > library.now.milliseconds {
      return moment
    }
    throw APIError(
      code: "bad-time",
      message: "'\(text)' is no time to come",
      hint: "write 90s, 10m, 2h or 7d, or a time in ISO 8601"
    )
  }

  func makeSecret() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }
}

extension Flag {
  static let role = Flag(
    "role",
    "ROLE",
    "viewer, editor, relay or owner",
    content: .suggestion(["viewer", "editor", "relay", "owner"])
  )
  static let expires = Flag("expires", "T", "90s, 10m, 2h, 7d, or an ISO 8601 time")
  static let memberName = Flag("name", "NAME", "what to call whoever gets the right")
}
