import CZlib
import Testing
import WebSocket

@testable import PaletteNode

/// What is sent of a file of the page.
struct PageFileTests {
  private static let text = Array(String(repeating: "let color = red;\n", count: 200).utf8)

  private func headers(_ response: HTTPResponse) -> [String: String] {
    Dictionary(uniqueKeysWithValues: response.headers.map { ($0.name, $0.value) })
  }

  @Test(arguments: [
    ("/page.html", "text/html; charset=utf-8"), ("/a.css", "text/css; charset=utf-8"),
    ("/a.js", "text/javascript; charset=utf-8"), ("/a.mjs", "text/javascript; charset=utf-8"),
    ("/a.svg", "image/svg+xml; charset=utf-8"), ("/a.png", "image/png"),
    ("/a.webmanifest", "application/manifest+json; charset=utf-8"),
  ])
  func hasTheTypeOfItsExtension(_ path: String, _ type: String) {
    let response = PageFile(path: path, bytes: [1]).response(to: RequestHeaders())
    #expect(headers(response)["content-type"] == type)
  }

  @Test func tagStandsForTheBytes() {
    let tags = [Self.text, Self.text + [10], []].map {
      headers(PageFile(path: "/a.js", bytes: $0).response(to: RequestHeaders()))["etag"]
    }
    #expect(Set(tags).count == 3)
    #expect(tags.allSatisfy { $0?.wholeMatch(of: /"[0-9a-f]{32}"/) != nil })
  }

  @Test func sendsNothingToWhoHasItAlready() throws {
    let file = PageFile(path: "/a.js", bytes: Self.text)
    let tag = try #require(headers(file.response(to: RequestHeaders()))["etag"])
    for list in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
      let response = file.response(to: RequestHeaders(ifNoneMatch: list))
      #expect(response.status == 304 && response.body.isEmpty, "\(list)")
      #expect(headers(response)["etag"] == tag)
      #expect(headers(response)["cache-control"] == "no-cache")
    }
    for list in ["\"other\"", "", String(tag.dropLast())] {
      #expect(file.response(to: RequestHeaders(ifNoneMatch: list)).status == 200, "\(list)")
    }
  }

  @Test func squeezesForThoseWhoReadIt() throws {
    let file = PageFile(path: "/a.js", bytes: Self.text)
    let plain = file.response(to: RequestHeaders())
    let squeezed = file.response(to: RequestHeaders(acceptEncoding: "br, gzip"))
    #expect(plain.body == Self.text && headers(plain)["content-encoding"] == nil)
    #expect(headers(squeezed)["content-encoding"] == "gzip")
    #expect(headers(squeezed)["vary"] == "accept-encoding")
    #expect(squeezed.body.count < Self.text.count / 2)
    #expect(try gunzip(squeezed.body, count: Self.text.count) == Self.text)
    // One tag for two bodies would let a cache mix them up.
    let tag = try #require(headers(squeezed)["etag"])
    #expect(tag != headers(plain)["etag"])
    #expect(file.response(to: RequestHeaders(ifNoneMatch: tag)).status == 200)
    let request = RequestHeaders(ifNoneMatch: tag, acceptEncoding: "gzip")
    #expect(file.response(to: request).status == 304)
  }

  @Test func leavesAloneWhatDoesNotShrink() {
    let file = PageFile(path: "/a.png", bytes: [1, 2, 3])
    let response = file.response(to: RequestHeaders(acceptEncoding: "gzip"))
    #expect(response.body == [1, 2, 3] && headers(response)["content-encoding"] == nil)
  }

  @Test(arguments: [
    ("gzip", true), ("GZIP;q=0.5, br", true), ("deflate, *;q=0.1", true), ("*", true),
    ("gzip;q=0, *", false), ("gzip; q=0.000", false), ("identity", false), ("", false),
    ("*;q=0", false), ("gzipped", false),
  ])
  func readsWhatTheClientAccepts(_ header: String, _ accepts: Bool) {
    #expect(PageFile.acceptsGzip(header) == accepts)
  }

  private func gunzip(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
    var stream = z_stream()
    // 15 + 16: a window of the largest size, and the head and tail of gzip.
    #expect(inflateInit2_(&stream, 31, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(&stream) }
    var input = bytes
    return [UInt8](unsafeUninitializedCapacity: count) { output, written in
      input.withUnsafeMutableBufferPointer {
        stream.next_in = $0.baseAddress
        stream.avail_in = UInt32($0.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        #expect(inflate(&stream, Z_FINISH) == Z_STREAM_END)
        written = Int(stream.total_out)
      }
    }
  }
}
