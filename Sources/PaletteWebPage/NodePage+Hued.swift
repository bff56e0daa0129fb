internal import CWebPage
public import PaletteNode

extension NodePage {
  /// The web page of hued, which is part of the program.
  public static let hued = NodePage { path in
    let list = web_files()
    let file = UnsafeBufferPointer(start: list.first, count: list.count).first {
      String(cString: $0.path) == path
    }
    return file.map { Array(UnsafeBufferPointer(start: $0.bytes, count: $0.count)) }
  }
}
