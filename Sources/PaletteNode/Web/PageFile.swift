internal import CZlib
internal import PaletteMerge
internal import PaletteModel
internal import WebSocket

/// A file of the web page: what is sent of it, and how.
///
/// A browser asks each time whether its copy is still right (`no-cache`), so that a new version of the
/// program has one page and not half of two.
struct PageFile {
  private let type: String
  private let plain: Body
  /// The same squeezed; nil where that saves nothing.
  private let squeezed: Body?

  private struct Body {
    let bytes: [UInt8]
    let tag: String
  }

  /// Prepares a file: its tag and its squeezed form are made once.
  init(path: String, bytes: [UInt8]) {
    type = Self.type(ofPath: path)
    var hash = BLAKE2b(resultLength: 16)
    hash.update(bytes)
    let tag = hash.finalize().hexDigits
    plain = Body(bytes: bytes, tag: "\"\(tag)\"")
    let small = Self.gzip(bytes)
    // A strong tag stands for bytes, so each encoding has its own.
    squeezed = small.count < bytes.count ? Body(bytes: small, tag: "\"\(tag)-gzip\"") : nil
  }

  /// The file as the client wants it; 304 when it has it already.
  func response(to request: RequestHeaders) -> HTTPResponse {
    let body = Self.acceptsGzip(request.acceptEncoding) ? squeezed ?? plain : plain
    var headers = [
      HTTPField("etag", body.tag), HTTPField("cache-control", "no-cache"),
      HTTPField("vary", "accept-encoding"),
    ]
    headers += Self.protection
    if Self.names(body.tag, in: request.ifNoneMatch) {
      return HTTPResponse(status: 304, headers: headers, body: [])
    }
    headers.append(HTTPField("content-type", type))
    if body.tag == squeezed?.tag { headers.append(HTTPField("content-encoding", "gzip")) }
    return HTTPResponse(status: 200, headers: headers, body: body.bytes)
  }

  private static func type(ofPath path: String) -> String {
    switch path.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml; charset=utf-8"
    case "png": "image/png"
    case "webmanifest": "application/manifest+json; charset=utf-8"
    default: "application/octet-stream"
    }
  }

  /// Returns whether a list of entity tags, or `*`, has the tag.
  static func names(_ tag: String, in list: String?) -> Bool {
    list?.split(separator: ",").contains { item in
      let item = item.filter { !isBlank($0) }
      return item == "*" || item == tag || item == "W/" + tag
    } ?? false
  }

  /// Returns whether the header of that name allows gzip (RFC 9110, 12.5.3).
  static func acceptsGzip(_ header: String?) -> Bool {
    var acceptsRest = false
    for item in header?.lowercased().split(separator: ",") ?? [] {
      let parts = item.split(separator: ";").map { $0.filter { !isBlank($0) } }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
      let isAccepted = weight.map { (Double($0.dropFirst(2)) ?? 0) > 0 } ?? true
      switch parts.first {
      case "gzip", "x-gzip": return isAccepted
      case "*": acceptsRest = isAccepted
      default: break
      }
    }
    return acceptsRest
  }

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    // It fails only without memory.
    guard czlib_gzip_begin(&stream) == Z_OK else { preconditionFailure("no memory") }
    defer { deflateEnd(&stream) }
    let limit = Int(deflateBound(&stream, UInt(bytes.count)))
    return bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: limit) { output, count in
        // zlib reads its input, whatever its declaration says.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        let result = deflate(&stream, Z_FINISH)
        precondition(result == Z_STREAM_END)
        count = Int(stream.total_out)
      }
    }
  }

  /// The headers that keep a browser from running, framing or passing on anything else.
  private static let protection = [
    HTTPField(
      "content-security-policy",
      "default-src 'none'; script-src 'self'; worker-src 'self'; manifest-src 'self'; "
        + "style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"
    ),
    HTTPField("x-content-type-options", "nosniff"),
    HTTPField("x-frame-options", "DENY"),
    HTTPField("referrer-policy", "no-referrer"),
    HTTPField("cross-origin-opener-policy", "same-origin"),
    HTTPField("cross-origin-resource-policy", "same-origin"),
  ]
}
