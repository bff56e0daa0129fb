package import PaletteFormats

extension APIError {
  /// What a failure of a file format is to those who call the API.
  package init(_ error: FormatError) {
    self.init(code: error.code, message: error.message, hint: error.hint)
  }
}
