internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// What `doctor` found so far, one check after another.
struct Checkup {
  /// The outcome of one check.
  struct Check {
    let name: String
    let isFine: Bool
    let detail: String
  }

  /// The outcomes in order.
  private(set) var checks: [Check] = []

  /// Notes the outcome of a check.
  mutating func note(_ name: String, _ isFine: Bool, _ detail: String) {
    checks.append(Check(name: name, isFine: isFine, detail: detail))
  }

  /// Makes a check whose outcome is a list of problems, or that cannot be made.
  ///
  /// - Returns: Whether all is well.
  @discardableResult
  mutating func check(
    _ name: String,
    fine: String,
    problems: () throws -> [String]
  ) throws -> Bool {
    do {
      let found = try problems()
      let more = found.count > 3 ? "; and \(found.count - 3) more" : ""
      let detail = found.isEmpty ? fine : found.prefix(3).joined(separator: "; ") + more
      note(name, found.isEmpty, detail)
    } catch {
      let error = APIError(any: error)
      // A library that this version cannot know anything about is refused as a whole.
      if error.code == "newer-format" { throw error }
      note(name, false, error.message)
    }
    return checks.last?.isFine == true
  }

  /// The outcomes as `{"ok","checks":[{"name","ok","detail"}]}`.
  var document: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("ok", checks.allSatisfy(\.isFine))
    writer.key("checks")
    writer.beginArray()
    for check in checks {
      writer.beginObject()
      writer.member("name", check.name)
      writer.member("ok", check.isFine)
      writer.member("detail", check.detail)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
