import Glibc

/// The part of the heap from which a thread other than the first allocates.
enum ThreadHeap {
  /// Makes it wide, so that it need not be widened page by page.
  ///
  /// For such a thread glibc asks the kernel for just the pages that the next allocation lacks: a
  /// thousand calls while a long catch-up is merged, each of which waits for the page faults of all
  /// other threads. Pages that were asked for once stay; until they are used they take no memory.
  static func widen() {
    var blocks: [UnsafeMutableRawPointer?] = []
    for _ in 0..<(bytes / blockBytes) { blocks.append(malloc(blockBytes)) }
    for block in blocks { free(block) }
  }

  private static let bytes = 12 << 20
  /// Less than what is mapped apart from the heap.
  private static let blockBytes = 120 << 10
}
