/// The name and version of this build.
public enum Release {
  /// The version of the product.
  public static let version = "0.1.0"
}
