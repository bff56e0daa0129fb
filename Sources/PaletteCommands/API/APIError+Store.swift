package import PaletteStore

extension APIError {
  /// What a failure of the store is to those who call the API.
  package init(_ error: StoreError) {
    let code =
      switch error.code {
      case .corrupt, .notALibrary, .newerFormat, .locked, .readOnly, .diskFull, .exists,
        .interrupted, .failed:
        error.code.rawValue
      case .olderFormat, .inputOutput, .constraint, .cannotOpen, .outOfMemory: "storage"
      }
    self.init(code: code, message: error.message, hint: error.hint)
  }

  /// What any failure is to those who call the API.
  package init(any error: any Error) {
    switch error {
    case let error as APIError: self = error
    case let error as StoreError: self.init(error)
    default: self.init(code: "failed", message: "\(error)")
    }
  }
}
