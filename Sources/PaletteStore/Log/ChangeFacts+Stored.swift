import PaletteModel

extension ChangeFacts {
  /// Reads the facts of a change that this library stores.
  init(stored bytes: UnsafeRawBufferPointer, in palette: PaletteID) throws(StoreError) {
    do {
      let stamp = try Change.stamp(ofEncoded: bytes)
      self.init(stamp: stamp, hash: ChangeHash(of: bytes, in: palette))
    } catch {
      throw StoreError(code: .corrupt, message: "a stored change is damaged: \(error)")
    }
  }
}
