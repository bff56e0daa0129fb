import CWebSockets
import PalettePlatform

/// The heap, of which the C library keeps a part for each thread.
package enum ThreadHeap {
  /// Makes the part of a thread other than the first wide, so that it need not be widened page by page.
  ///
  /// For such a thread glibc asks the kernel for just the pages that the next allocation lacks: a
  /// thousand calls while a long catch-up is merged, each of which waits for the page faults of all
  /// other threads. What was asked for once stays; until it is used it takes no memory.
  ///
  /// Huge pages would need fewer faults, but the one edit that meets a new one waits until the kernel
  /// has cleared all of it: 0.1 ms at best, and 4.5 ms in a virtual machine that has given its free
  /// memory back.
  static func widen() {
    // The first block is mapped apart from the heap. That it is given back tells glibc that blocks of
    // this size come and go, so the second one is a part of the heap, as all up to its size are then.
    for _ in 0..<2 {
      let block = malloc(byteCount)
      // Keeps the compiler from removing the allocation.
      madvise(block, 0, MADV_NORMAL)
      free(block)
    }
  }

  /// Gives memory back to the system that was freed and that the C library keeps.
  package static func trim() { clws_trim_heap() }

  private static let byteCount = 12 << 20
}
