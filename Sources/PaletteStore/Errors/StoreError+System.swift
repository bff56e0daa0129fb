import PalettePlatform

extension StoreError.Code {
  /// The kind of a system error that says more than "failed", else nil.
  init?(systemError: Int32) {
    switch systemError {
    case ENOSPC, EDQUOT: self = .diskFull
    case EROFS: self = .readOnly
    case ENOMEM: self = .outOfMemory
    default: return nil
    }
  }
}

extension StoreError {
  /// The error of a failed call of the operating system on a file.
  ///
  /// - Parameters:
  ///   - systemError: The value of `errno`.
  ///   - action: What could not be done, as a verb.
  ///   - path: The file.
  ///   - writing: Whether the call wanted to write; then a missing permission means read-only.
  init(systemError: Int32, doing action: String, path: String, writing: Bool = false) {
    let code: Code =
      switch systemError {
      case ENOSPC, EDQUOT: .diskFull
      case EACCES where writing, EPERM where writing: .readOnly
      case EROFS: .readOnly
      case EEXIST: .exists
      case EIO: .inputOutput
      default: .cannotOpen
      }
    self.init(
      code: code,
      message: "cannot \(action) \(path): \(String(cString: strerror(systemError)))"
    )
  }

  /// The hint where only a look at the library tells more.
  static let doctorHint = "run 'hued doctor' to see whether the library is whole"

  /// What a person can usually do about a kind of failure.
  static func hint(for code: Code) -> String? {
    switch code {
    case .diskFull: "free some space and try again; nothing was lost"
    case .corrupt: "run 'hued doctor', and 'hued recover' with a backup if it finds damage"
    case .notALibrary: "choose another folder with --home, or put a backup here with 'hued recover'"
    case .newerFormat: "update this program"
    case .olderFormat: "any edit brings the library to the present format"
    case .locked: "wait until the other process is done, or end it"
    case .readOnly: "reading still works"
    case .inputOutput:
      "look after the disk, run 'hued doctor', and 'hued recover' with a backup if it finds damage"
    case .constraint: doctorHint
    case .cannotOpen: "run 'hued doctor' to see what is wrong with the folder"
    case .exists, .outOfMemory, .interrupted, .failed: nil
    }
  }
}
