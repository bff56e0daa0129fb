import Glibc

/// The part of the heap from which a thread other than the first allocates.
enum ThreadHeap {
  /// Makes it wide, so that it need not be widened page by page.
  ///
  /// For such a thread glibc asks the kernel for just the pages that the next allocation lacks: a
  /// thousand calls while a long catch-up is merged, each of which waits for the page faults of all
  /// other threads. Pages that were asked for once stay; until they are used they take no memory.
  static func widen() {
    var blocks: [UnsafeMutableRawPointer] = []
    for _ in 0..<(bytes / blockBytes) {
      if let block = malloc(blockBytes) { blocks.append(block) }
    }
    let addresses = blocks.map { UInt(bitPattern: $0) }
    if let first = addresses.min(), let last = addresses.max() {
      useHugePages(from: first, to: last)
    }
    for block in blocks { free(block) }
  }

  /// Asks for the largest pages, each of which comes with one fault instead of five hundred; without
  /// them things go on as they are.
  private static func useHugePages(from first: UInt, to last: UInt) {
    let start = (first + hugePageBytes - 1) / hugePageBytes * hugePageBytes
    let end = last / hugePageBytes * hugePageBytes
    // Anything wider would not be this thread's part alone.
    guard start < end, last - first < 2 * UInt(bytes) else { return }
    madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
  }

  private static let bytes = 12 << 20
  /// Less than what is mapped apart from the heap.
  private static let blockBytes = 120 << 10
  private static let hugePageBytes: UInt = 2 << 20
}
