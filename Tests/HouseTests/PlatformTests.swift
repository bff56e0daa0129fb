import Testing

/// The C library has one door.
struct PlatformTests {
  @Test(arguments: ["Sources", "Tests"])
  func onlyOneFileNamesACLibrary(_ folder: String) throws {
    let strangers = try SwiftFile.read(folder).filter { file in
      file.path != "PalettePlatform/Platform.swift"
        && file.text.code.contains(/import +(Glibc|Musl|Darwin)\b/)
    }.map(\.path)
    #expect(strangers.isEmpty, "import PalettePlatform instead")
  }
}
