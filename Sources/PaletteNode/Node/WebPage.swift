internal import CWebPage
internal import WebSocket

/// The files of the web page, which are part of the program.
enum WebPage {
  /// The file at a path; nil when there is none.
  static func response(for path: String) -> HTTPResponse? {
    switch path {
    case "/": response(web_page_html(), "text/html; charset=utf-8")
    case "/page.css": response(web_page_css(), "text/css; charset=utf-8")
    case "/page.js": response(web_page_js(), "text/javascript; charset=utf-8")
    default: nil
    }
  }

  private static func response(_ file: web_file, _ type: String) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [HTTPField("content-type", type), HTTPField("cache-control", "no-cache")]
        + protection,
      body: Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    )
  }

  /// What keeps a browser from running, framing or telling anything else.
  static let protection = [
    HTTPField(
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    HTTPField("x-content-type-options", "nosniff"),
    HTTPField("x-frame-options", "DENY"),
    HTTPField("referrer-policy", "no-referrer"),
    HTTPField("cross-origin-opener-policy", "same-origin"),
    HTTPField("cross-origin-resource-policy", "same-origin"),
  ]
}
