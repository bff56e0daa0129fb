internal import PalettePlatform

/// The time that tests wait for what must happen: a multiple of the usual time where everything is
/// slower.
public enum TestPatience {
  /// The multiple: `HUED_PATIENCE`, as `Scripts/test --sanitize` sets it, else 1.
  public static let factor = getenv("HUED_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 1

  /// So many usual seconds.
  public static func seconds(_ usual: Double) -> Double { usual * Double(factor) }
}

extension Duration {
  /// So many usual seconds, for a wait that must end.
  public static func patiently(seconds: Int) -> Duration { .seconds(seconds * TestPatience.factor) }
}
