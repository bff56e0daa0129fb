import PalettePlatform

/// Writes a line at once: whoever listens waits for it.
func say(_ line: some CustomStringConvertible, to descriptor: Int32 = 1) {
  let bytes = Array("\(line)\n".utf8)
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}
