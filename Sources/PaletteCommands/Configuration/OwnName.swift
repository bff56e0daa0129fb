internal import PaletteModel
internal import PalettePlatform

/// The name that the owner of a library wants to have, read again when the settings have changed.
package final class OwnName {
  /// The path of the settings, and the state of them that was read.
  private let file: String
  private var read: FileState?
  private var name = ""

  package init(configurationFile file: String) {
    self.file = file
  }

  /// The name; that of the user and the machine where none is set, or where it cannot be read.
  package var text: String {
    let state = FileState(of: file)
    if state != read {
      read = state
      name = (try? Configuration(readingFrom: file).name) ?? Self.system
    }
    return name
  }

  /// The names of the user and of the machine: `user@host`.
  static let system: String = {
    var host = [CChar](repeating: 0, count: 256)
    gethostname(&host, host.count - 1)
    let machine = String(
      decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
    let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
    return TextRule.name.cleaned("\(user)@\(machine)") ?? "hued"
  }()
}
