extension OwnedLog {
  /// Removes what an earlier owner had no time to remove, and learns how much there is behind the image.
  ///
  /// - Parameters:
  ///   - claim: The claim on the library.
  ///   - log: The connection that no loop waits for.
  ///   - rooms: The process.
  func tidy(_ claim: LogClaim, through log: any SharedLog, beside rooms: any FleetRooms) {
    rooms.perform(with: log, isSlow: false) { log in
      try log.tidy(below: .max, as: claim)
      return try log.growth(of: claim.library)
    } then: { [weak self] result in
      // Without it no image is made before the library is opened again.
      if case .success(let growth) = result { self?.count(from: growth) }
    }
  }
}
