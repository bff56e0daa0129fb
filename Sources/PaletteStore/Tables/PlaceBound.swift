import PaletteMerge
import PaletteModel
import PalettePlatform

/// The greatest place that a transaction wrote.
struct PlaceBound {
  /// The place as the value that it was written as.
  private var value: RegisterValue?

  /// The place; nil when none was greater than the one before.
  var place: Place? { value?.placeBytes.flatMap { Place(bytes: $0) } }

  /// Raises the bound to a value, where it is a place behind it and behind the one that is stored.
  mutating func raise(to new: RegisterValue, over stored: Place?) {
    let isGreater = new.withPlaceBytes { place in
      guard let place, !place.isEmpty else { return false }
      if let value { return value.withPlaceBytes { $0.map { $0.isBefore(place) } ?? true } }
      return stored?.bytes.withUnsafeBytes { $0.isBefore(place) } ?? true
    }
    if isGreater { value = new }
  }
}

extension UnsafeRawBufferPointer {
  /// The order of places.
  fileprivate func isBefore(_ other: Self) -> Bool {
    let shared = Swift.min(count, other.count)
    guard shared > 0, let left = baseAddress, let right = other.baseAddress else {
      return count < other.count
    }
    let order = memcmp(left, right, shared)
    return order == 0 ? count < other.count : order < 0
  }
}
