internal import WebSocket

/// The web page that a node serves: its files, by the paths that they are served under.
///
/// The product `PaletteNode` has one, the `hued` of `PaletteWebPage`.
public struct NodePage: Sendable {
  /// The contents of the file at a path; nil where there is none.
  let contents: @Sendable (String) -> [UInt8]?

  /// Creates a page.
  ///
  /// `/page.js` and the modules that it imports travel as one script. So each of their imports is a line of its own
  /// that names what it takes from a file beside it, `import { a } from "./b.js";`, and each export is a declaration.
  ///
  /// - Parameter contents: The contents of the file at a path, such as `/page.html`; nil where there is none.
  public init(contents: @escaping @Sendable (String) -> [UInt8]?) {
    self.contents = contents
  }
}

/// The files of the web page as they are sent.
final class WebPage {
  /// What the addresses of palettes begin with: the page says itself what is there.
  private static let palettes = "/palettes/"
  private static let page = "/page.html"

  /// The files as they were made; nil where the node serves no page.
  private let files: NodePage?
  /// Those that somebody has asked for, ready to be sent.
  private var prepared: [String: PageFile] = [:]
  /// The scripts that the page needs first.
  private lazy var bundle = ScriptBundle("page.js") { [files] in files?.contents($0) }

  /// Knows the files; each is prepared when it is first asked for, so that a node starts at once.
  init(_ files: NodePage?) {
    self.files = files
  }

  /// The file at a path, or 404.
  ///
  /// - Parameters:
  ///   - path: The path beneath the library.
  ///   - headers: The headers of the request.
  ///   - base: The path of the library; empty where it has the whole address.
  /// - Returns: The response.
  func response(
    to path: String,
    _ headers: RequestHeaders,
    beneath base: String
  ) -> HTTPResponse {
    let path = path == "/" || path.hasPrefix(Self.palettes) ? Self.page : path
    // The scripts find their base themselves; of the page itself there would be one a library.
    if !base.isEmpty, path == Self.page, let bytes = files?.contents(path) {
      return PageFile(path: path, bytes: Self.moved(bytes, beneath: base)).response(to: headers)
    }
    if let file = prepared[path] { return file.response(to: headers) }
    guard let bytes = files?.contents(path) else { return HTTPResponse(status: 404) }
    let made = PageFile(path: path, bytes: sent(path, bytes))
    prepared[path] = made
    return made.response(to: headers)
  }

  /// A file as it travels.
  private func sent(_ path: String, _ bytes: [UInt8]) -> [UInt8] {
    // A worker has no page, and so nothing of what the page has made.
    if path.hasSuffix("-worker.js") {
      return ScriptBundle(String(path.dropFirst())) { files?.contents($0) }.script
    }
    if path.hasSuffix(".js") {
      return bundle.script(at: String(path.dropFirst())) ?? LeanSource(bytes).bytes
    }
    return path.hasSuffix(".css") ? LeanSource(bytes).bytes : bytes
  }

  /// The page with the addresses of its files beneath a path.
  private static func moved(_ page: [UInt8], beneath base: String) -> [UInt8] {
    let text = String(decoding: page, as: UTF8.self)
    return Array(
      text.split(separator: "=\"/", omittingEmptySubsequences: false).joined(
        separator: "=\"\(base)/"
      ).utf8
    )
  }
}
