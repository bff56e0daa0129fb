extension String {
  /// Whether both texts have the same UTF-8 bytes.
  ///
  /// `==` would also accept canonically equivalent text, which is another name on disk.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
