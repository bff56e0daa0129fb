extension String {
  /// Whether both texts have the same UTF-8 bytes.
  ///
  /// `==` would also accept canonically equivalent text, which is another name on disk.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension UnsafeRawBufferPointer {
  /// Compares eight bytes at a time: an import compares every name and note of a palette.
  fileprivate func hasSameBytes(as other: Self) -> Bool {
    var offset = 0
    while offset + 8 <= count {
      let left = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard left == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else {
        return false
      }
      offset += 8
    }
    while offset < count {
      guard self[offset] == other[offset] else { return false }
      offset += 1
    }
    return true
  }
}
