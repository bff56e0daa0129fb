internal import CWebPage
internal import WebSocket

/// The files of the web page, which are part of the program.
final class WebPage {
  /// What the addresses of palettes begin with: the page says itself what is there.
  private static let palettes = "/palettes/"

  /// The files by the paths that they are served under.
  private let embedded: [String: web_file]
  /// Those that somebody has asked for, ready to be sent.
  private var prepared: [String: PageFile] = [:]

  /// Knows the files; each is prepared when it is first asked for, so that a node starts at once.
  init() {
    let list = web_files()
    let files = UnsafeBufferPointer(start: list.first, count: list.count)
    embedded = Dictionary(uniqueKeysWithValues: files.map { (String(cString: $0.path), $0) })
  }

  /// The file at a path, or 404.
  func response(to path: String, _ headers: RequestHeaders) -> HTTPResponse {
    let path = path == "/" || path.hasPrefix(Self.palettes) ? "/page.html" : path
    if let file = prepared[path] { return file.response(to: headers) }
    guard let file = embedded[path] else { return HTTPResponse(status: 404) }
    let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    let isSource = path.hasSuffix(".js") || path.hasSuffix(".css")
    let made = PageFile(path: path, bytes: isSource ? LeanSource(bytes).bytes : bytes)
    prepared[path] = made
    return made.response(to: headers)
  }
}
