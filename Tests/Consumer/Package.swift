// swift-tools-version: 6.3
import PackageDescription

/// hued as anybody has it, by URL and version, or as it is in a folder.
let hued: Package.Dependency =
  if let folder = Context.environment["HUED_FOLDER"] {
    .package(name: "hued", path: folder)
  } else {
    .package(url: Context.environment["HUED_URL"] ?? "", from: "1.0.0")
  }

/// A package of somebody else, which depends on hued.
///
/// `Scripts/consumer` makes up URL and version, and puts the guide's examples into its tests.
let package = Package(
  name: "Consumer",
  dependencies: [hued],
  targets: [
    .executableTarget(
      name: "consumer",
      dependencies: [.product(name: "Palettes", package: "hued")]
    ),
    .executableTarget(
      name: "kanban",
      dependencies: [.product(name: "PaletteSyncing", package: "hued")]
    ),
    .executableTarget(
      name: "theme",
      dependencies: [.product(name: "PaletteSyncing", package: "hued")]
    ),
    .testTarget(
      name: "ReadmeTests",
      dependencies: [
        .product(name: "PaletteFormats", package: "hued"),
        .product(name: "PaletteMerge", package: "hued"),
        .product(name: "PaletteModel", package: "hued"),
        .product(name: "PaletteNode", package: "hued"),
        .product(name: "PaletteStore", package: "hued"),
        .product(name: "PaletteSync", package: "hued"),
      ]
    ),
  ]
)
