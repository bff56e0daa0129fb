// swift-tools-version: 6.3
import PackageDescription

/// Settings of every Swift target: the upcoming features make imports, existentials and isolation
/// explicit, and a warning is an error.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "hued",
  products: [
    .library(name: "PaletteModel", targets: ["PaletteModel"])
  ],
  targets: [
    .target(name: "PaletteModel", swiftSettings: settings),
    .systemLibrary(
      name: "CWebSockets",
      pkgConfig: "libwebsockets",
      providers: [.apt(["libwebsockets-dev"])]
    ),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "WebSocket",
      dependencies: ["CWebSockets", "COpenSSL"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteModelTests",
      dependencies: ["PaletteModel"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "WebSocketTests",
      dependencies: ["WebSocket", "COpenSSL"],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
