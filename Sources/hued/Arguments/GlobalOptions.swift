/// The values of the flags that every command takes.
struct GlobalOptions: Equatable {
  /// When swatches are shown.
  enum Color: String {
    case auto
    case always
    case never
  }

  var home: String?
  var json = false
  /// Nil where the settings decide.
  var color: Color?
  var quiet = false
  var verbose = false
  var wide = false
  /// Whether long output may go through a pager.
  var pages = true
  /// Nil where the settings decide.
  var timeoutSeconds: Double?
  var yes = false
}
