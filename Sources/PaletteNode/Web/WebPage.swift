internal import CWebPage
internal import WebSocket

/// The files of the web page, which are part of the program.
final class WebPage {
  /// What the addresses of palettes begin with: the page says itself what is there.
  private static let palettes = "/palettes/"
  private static let page = "/page.html"

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
    if !base.isEmpty, path == Self.page, let file = embedded[path] {
      return PageFile(path: path, bytes: Self.moved(file.contents, beneath: base))
        .response(to: headers)
    }
    if let file = prepared[path] { return file.response(to: headers) }
    guard let file = embedded[path] else { return HTTPResponse(status: 404) }
    let bytes = file.contents
    let isSource = path.hasSuffix(".js") || path.hasSuffix(".css")
    let made = PageFile(path: path, bytes: isSource ? LeanSource(bytes).bytes : bytes)
    prepared[path] = made
    return made.response(to: headers)
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

extension web_file {
  fileprivate var contents: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }
}
