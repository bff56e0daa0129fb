import Glibc

/// The part of the heap from which a thread other than the first allocates.
enum ThreadHeap {
  /// Makes it wide, so that it need not be widened page by page.
  ///
  /// For such a thread glibc asks the kernel for just the pages that the next allocation lacks: a
  /// thousand calls while a long catch-up is merged, each of which waits for the page faults of all
  /// other threads. What was asked for once stays; until it is used it takes no memory.
  static func widen() {
    // The first block is mapped apart from the heap. That it is given back tells glibc that blocks of
    // this size come and go, so the second one is a part of the heap, as all up to its size are then.
    for _ in 0..<2 {
      guard let block = malloc(byteCount) else { return }
      useHugePages(of: UnsafeMutableRawBufferPointer(start: block, count: byteCount))
      free(block)
    }
  }

  /// Asks for the largest pages, each of which comes with one fault instead of five hundred; without
  /// them things go on as they are.
  private static func useHugePages(of block: UnsafeMutableRawBufferPointer) {
    let address = UInt(bitPattern: block.baseAddress)
    let start = (address + hugePageBytes - 1) / hugePageBytes * hugePageBytes
    let end = (address + UInt(block.count)) / hugePageBytes * hugePageBytes
    guard start < end else { return }
    madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
  }

  private static let byteCount = 12 << 20
  private static let hugePageBytes: UInt = 2 << 20
}
