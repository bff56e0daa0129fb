/// Whom a palette tells what happened, and in which order.
///
/// An observer may change the palette: what follows from that is reported after what is being
/// reported now, so every observer hears of all changes in the order in which they were made.
final class NotificationQueue {
  private struct WeakSubscription {
    weak var subscription: DiffSubscription?
  }

  let changes = ObserverList<PaletteChange>()
  let renames = ObserverList<PaletteRename>()
  let selections = ObserverList<(before: RecordID?, after: RecordID?)>()
  let errors = ObserverList<PaletteDiffError>()

  private var subscriptions: [WeakSubscription] = []
  private var pending: [() -> Void] = []
  private var isReporting = false

  /// Tells one kind of news to those who want it.
  func report<News>(_ news: News, to observers: ObserverList<News>) {
    pending.append { observers.report(news) }
    guard !isReporting else { return }
    isReporting = true
    defer { isReporting = false }
    while !pending.isEmpty { pending.removeFirst()() }
  }

  /// Tells a change of the colors to sequences and closures.
  func report(_ change: PaletteChange) {
    subscriptions.removeAll { $0.subscription == nil }
    for subscriber in subscriptions { subscriber.subscription?.push(change) }
    report(change, to: changes)
  }

  /// Adds a subscriber, which is dropped when nobody holds its sequence any more.
  func subscribe() -> DiffSubscription {
    let subscription = DiffSubscription()
    subscriptions.append(WeakSubscription(subscription: subscription))
    return subscription
  }

  /// Ends all sequences.
  func finish() {
    for subscriber in subscriptions { subscriber.subscription?.finish() }
  }
}

/// The closures that want one kind of news, in the order in which they came.
package final class ObserverList<News> {
  private var observers: [(number: Int, body: (News) -> Void)] = []
  private var nextNumber = 0

  /// Creates a list of none.
  package init() {}

  /// Adds a closure behind the others.
  package func add(_ body: @escaping (News) -> Void) -> PaletteObservation {
    let number = nextNumber
    nextNumber += 1
    observers.append((number, body))
    return PaletteObservation { [weak self] in
      self?.observers.removeAll { $0.number == number }
    }
  }

  /// Calls every closure that is there now and is not cancelled meanwhile.
  package func report(_ news: News) {
    for (number, body) in observers where observers.contains(where: { $0.number == number }) {
      body(news)
    }
  }
}

/// The promise of what is observed to call a closure, until it is cancelled.
///
/// Letting go of it cancels nothing: the closure is called for as long as the palette or the list lives.
public final class PaletteObservation {
  private var stop: (() -> Void)?

  init(stop: @escaping () -> Void) {
    self.stop = stop
  }

  /// Ends the calls, at once: also those of a change that is being reported now.
  public func cancel() {
    stop?()
    stop = nil
  }
}
