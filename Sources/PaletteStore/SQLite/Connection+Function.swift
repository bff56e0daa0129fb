import CSQLite

extension Connection {
  /// What a function of SQL does: with its arguments, it sets the result of a context.
  typealias Function =
    @convention(c) (
      _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void

  /// Defines a function of SQL, which no schema can call.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - arguments: How many arguments it takes.
  ///   - owner: What `sqlite3_user_data` gives it; kept as long as the connection lasts.
  ///   - function: What it does.
  /// - Throws: `StoreError` when SQLite does not take it.
  func define(
    _ name: String,
    arguments: Int32,
    for owner: AnyObject,
    _ function: @escaping Function
  ) throws(StoreError) {
    let code = sqlite3_create_function_v2(
      handle.pointer,
      name,
      arguments,
      SQLITE_UTF8 | SQLITE_DIRECTONLY,
      Unmanaged.passRetained(owner).toOpaque(),
      function,
      nil,
      nil,
      { owner in owner.map { Unmanaged<AnyObject>.fromOpaque($0).release() } }
    )
    // SQLite has let go of the owner where it failed.
    guard code == SQLITE_OK else { throw error(code) }
  }
}
