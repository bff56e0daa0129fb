/// What this build calls itself.
public enum Release {
  /// The version of the product.
  public static let version = "0.1.0"
}
