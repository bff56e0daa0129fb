@preconcurrency import PalettePlatform

typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<Arguments>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target of this process, set before the first input.
nonisolated(unsafe) private var target: FuzzTarget?

/// `fuzz TARGET [FLAG OF LIBFUZZER | FOLDER]...`, `fuzz --list`, or `fuzz --prepare TARGET FOLDER`, which
/// writes the seeds, and a dictionary beside them.
@_cdecl("fuzz_main")
func fuzzMain(_ count: CInt, _ arguments: Arguments) -> CInt {
  let words = (1..<max(1, Int(count))).compactMap { arguments[$0].map { String(cString: $0) } }
  if words == ["--list"] {
    for target in FuzzTarget.all { print("\(target.name)\t\(target.summary)") }
    return 0
  }
  let isPreparing = words.first == "--prepare" && words.count == 3
  // libFuzzer starts itself again to merge, with flags alone: the environment says the target then.
  let inherited = getenv("FUZZ_TARGET").map { String(cString: $0) }
  let name = isPreparing ? words[1] : inherited ?? words.first ?? ""
  guard let found = FuzzTarget.all.first(where: { $0.name == name }) else {
    fputs("There is no target '\(name)'; 'fuzz --list' lists them.\n", stderr)
    return 2
  }
  if isPreparing { return prepare(found, words[2]) }
  target = found
  setenv("FUZZ_TARGET", name, 1)
  var (count, rest) = (count, arguments)
  if inherited == nil {
    arguments[1] = arguments[0]
    count -= 1
    rest += 1
  }
  return runDriver(&count, &rest) { start, count in
    do {
      try target?.check([UInt8](UnsafeBufferPointer(start: start, count: count)))
    } catch {
      fatalError("\(error)")
    }
    return 0
  }
}

private func prepare(_ target: FuzzTarget, _ folder: String) -> CInt {
  do {
    for (index, seed) in try target.seeds().enumerated() {
      guard write(seed, to: "\(folder)/seeds/\(index)") else { return 1 }
    }
  } catch {
    fputs("No seeds: \(error)\n", stderr)
    return 1
  }
  let lines = target.words.map { word in
    let escaped = word.utf8.map { byte in
      (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "\"\(escaped.joined())\"\n"
  }
  // A length limit is a property of the target, not of whoever runs it.
  guard write(Array(lines.joined().utf8), to: "\(folder)/dictionary"),
    write(Array("\(target.lengthLimit)".utf8), to: "\(folder)/length")
  else { return 1 }
  return 0
}

private func write(_ bytes: [UInt8], to path: String) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  defer { fclose(file) }
  return fwrite(bytes, 1, bytes.count, file) == bytes.count
}
