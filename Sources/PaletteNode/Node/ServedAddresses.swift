internal import PaletteCommands
internal import PalettePeers
internal import WebSocket

/// The libraries that the addresses of a process lead to.
///
/// A listener leads to one library, or to all those of a directory, each beneath its name.
struct ServedAddresses {
  /// The libraries to which a listener leads.
  private enum Service {
    /// One library.
    case library(RoomKey)
    /// The libraries of the directory, by name.
    case names
  }

  /// The place that an address leads to.
  enum Destination {
    case library(RoomKey)
    /// Nowhere, for now at least: a status of HTTP, and headers.
    case closed(Int, [HTTPField] = [])
  }

  /// The subject of a request of HTTP.
  enum Subject {
    /// One library, at the rest of the path beneath a base.
    case library(RoomKey?, base: String, path: String)
    /// The process.
    case process
    /// Nothing, and this is the answer.
    case answered(HTTPResponse)
  }

  /// The libraries that are served by name; nil in a process that serves none so.
  private(set) var directory: (any LibraryDirectory)?
  /// True if whoever reaches a listener by name may see the numbers of the process.
  private var showsNumbers = false
  private var listeners: [ListenerID: Service] = [:]

  /// Adds the listeners of a library.
  mutating func add(_ endpoints: NodeEndpoints, of key: RoomKey) {
    for listener in [endpoints.local, endpoints.network].compactMap(\.self)
    where endpoints.base.isEmpty {
      listeners[listener] = .library(key)
    }
  }

  /// Serves the libraries of a directory at a listener.
  mutating func serve(
    _ directory: any LibraryDirectory,
    at endpoints: NodeEndpoints,
    showsNumbers: Bool
  ) {
    self.directory = directory
    self.showsNumbers = showsNumbers
    if let listener = endpoints.network { listeners[listener] = .names }
  }

  /// The place that a listener leads to at a base beneath it, for somebody at an address.
  func destination(at listener: ListenerID?, _ base: String, for address: String) -> Destination {
    switch listener.flatMap({ listeners[$0] }) {
    case .library(let key)? where base.isEmpty: return .library(key)
    case .names?:
      guard let name = LibraryPath(base).name, let directory else { return .closed(404) }
      switch directory.find(name, for: address) {
      case .here(let key): return .library(key)
      case .later(let seconds): return .closed(503, [HTTPField("retry-after", "\(seconds)")])
      }
    default: return .closed(404)
    }
  }

  /// The subject of a request.
  func subject(of request: HTTPRequest) -> Subject {
    switch listeners[request.listener] {
    case .library(let key): return .library(key, base: "", path: request.path)
    case .names:
      let path = LibraryPath(request.path)
      guard let name = path.name else { return .process }
      let base = LibraryPath.base(of: name)
      guard path.rest.isEmpty else { return .library(nil, base: base, path: path.rest) }
      return .answered(HTTPResponse(status: 308, headers: [HTTPField("location", base + "/")]))
    case nil: return .answered(HTTPResponse(status: 503))
    }
  }

  /// Answers a request about the process, where libraries are served by name.
  func respondAboutProcess(to request: HTTPRequest) -> HTTPResponse {
    switch request.path {
    case "/readyz":
      guard let hindrance = directory?.hindrance else { return .text("ready\n") }
      return .text(hindrance + "\n", status: 503)
    case "/metrics" where showsNumbers || request.peer.isLoopback:
      return .text(directory?.metrics ?? "", type: MetricsText.contentType)
    default: return HTTPResponse(status: 404)
    }
  }

  /// Returns whether a path may be asked for by the target of a request, as it came.
  ///
  /// Before a listener by name there is a balancer, which leads by the bytes of the target: another spelling of a
  /// library's name comes to a process that does not serve it, and takes the library from the one that does.
  func mayAsk(for path: String, by target: String, at listener: ListenerID) -> Bool {
    guard case .names? = listeners[listener] else { return true }
    let spelled = String(target.prefix { $0 != "?" })
    guard let name = LibraryPath(path).name else { return spelled == path }
    return LibraryPath(spelled).name == name
  }

  /// Begins to fetch the library that the target of a request names.
  ///
  /// - Returns: The name of the library; nil where nothing is fetched.
  func fetch(_ target: String, for listener: ListenerID, from address: String) -> String? {
    guard case .names? = listeners[listener], let name = LibraryPath(target).name, let directory,
      case .later = directory.find(name, for: address), directory.isFetching(name)
    else { return nil }
    return name
  }

  /// Returns whether a library may still answer whoever is connected to it.
  func mayAnswer(_ key: RoomKey) -> Bool { directory?.mayAnswer(key) ?? true }
}
