/// The closures that want one kind of news, in the order in which they came.
final class ObserverList<News> {
  private var observers: [(number: Int, body: (News) -> Void)] = []
  private var nextNumber = 0

  func add(_ body: @escaping (News) -> Void) -> PaletteObservation {
    let number = nextNumber
    nextNumber += 1
    observers.append((number, body))
    return PaletteObservation { [weak self] in
      self?.observers.removeAll { $0.number == number }
    }
  }

  /// Calls every closure that is there now and is not cancelled meanwhile.
  func report(_ news: News) {
    for (number, body) in observers where observers.contains(where: { $0.number == number }) {
      body(news)
    }
  }
}
