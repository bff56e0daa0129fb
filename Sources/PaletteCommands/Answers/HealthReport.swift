internal import PaletteFormats
internal import PaletteJSON
internal import PaletteModel
internal import PaletteStore

/// The findings of `doctor` so far, one check after another.
package struct HealthReport: ObjectAnswer {
  /// The outcome of one check.
  package struct Check: ObjectAnswer {
    let name: String
    let isFine: Bool
    let detail: String

    package static let fields: [Field<Self>] = [
      Field("name") { $0.name }, Field("ok") { $0.isFine }, Field("detail") { $0.detail },
    ]
  }

  /// The outcomes in order.
  private(set) var checks: [Check] = []

  /// The code of the error that an answer with checks amounts to.
  @Sendable static func failure(in answer: JSON) -> String? {
    answer["ok"].boolValue == false ? "storage" : nil
  }

  /// Adds the outcome of a check.
  mutating func add(_ name: String, _ isFine: Bool, _ detail: String) {
    checks.append(Check(name: name, isFine: isFine, detail: detail))
  }

  /// Makes a check whose outcome is a list of problems, or that cannot be made.
  ///
  /// - Parameters:
  ///   - name: What is checked.
  ///   - fine: What to say when nothing is wrong; read after the check.
  ///   - problems: Finds what is wrong, in words.
  /// - Returns: Whether all is well.
  /// - Throws: What makes looking on senseless: a library of a newer version, or an interruption.
  @discardableResult
  mutating func check(
    _ name: String,
    fine: @autoclosure () -> String,
    problems: () throws -> [String]
  ) throws -> Bool {
    do {
      let found = try problems()
      let more = found.count > 3 ? "; and \(found.count - 3) more" : ""
      let detail = found.isEmpty ? fine() : found.prefix(3).joined(separator: "; ") + more
      add(name, found.isEmpty, detail)
    } catch {
      let error = APIError(any: error)
      // A library that this version cannot know anything about is refused as a whole.
      if error.code == "newer-format" || error.code == "interrupted" { throw error }
      add(name, false, error.message)
    }
    return checks.last?.isFine == true
  }

  /// True if every check passed.
  var isFine: Bool { checks.allSatisfy(\.isFine) }

  package static let schemaName = "HealthReport"
  package static let fields: [Field<Self>] = [
    Field("ok") { $0.isFine }, Field("checks") { $0.checks },
  ]
}

extension Received where Form == HealthReport {
  package var checks: [Received<HealthReport.Check>] { parts("checks") }
}

extension Received where Form == HealthReport.Check {
  package var name: String { text("name") }
  package var isFine: Bool { isSet("ok") }
  package var detail: String { text("detail") }
}
