extension Palette {
  /// The changes from now on, as an asynchronous sequence of its own for every call.
  public var diffs: PaletteDiffSequence {
    PaletteDiffSequence(subscription: news.subscribe())
  }

  /// Calls a closure after every change of the colors, with old and new list.
  @discardableResult
  public func onChange(_ body: @escaping (PaletteChange) -> Void) -> PaletteObservation {
    news.changes.add(body)
  }

  /// Calls a closure for every color that is new, with its index.
  @discardableResult
  public func onInsert(_ body: @escaping (NamedColor, Int) -> Void) -> PaletteObservation {
    news.changes.add { change in
      for insertion in change.diff.insertions { body(insertion.color, insertion.index) }
    }
  }

  /// Calls a closure for every color that is gone, as it was.
  @discardableResult
  public func onDelete(_ body: @escaping (NamedColor) -> Void) -> PaletteObservation {
    news.changes.add { change in
      for deletion in change.diff.deletions { body(change.before[deletion.index]) }
    }
  }

  /// Calls a closure for every color whose content changed, with the old and the new color.
  @discardableResult
  public func onUpdate(_ body: @escaping (NamedColor, NamedColor) -> Void) -> PaletteObservation {
    news.changes.add { change in
      for update in change.diff.updates { body(update.was, update.color) }
    }
  }

  /// Calls a closure after every change of the selection, with the old and the new id.
  @discardableResult
  public func onSelect(_ body: @escaping (RecordID?, RecordID?) -> Void) -> PaletteObservation {
    news.selections.add { body($0.before, $0.after) }
  }

  /// Calls a closure after every change of the palette's name.
  @discardableResult
  public func onRename(_ body: @escaping (PaletteRename) -> Void) -> PaletteObservation {
    news.renames.add(body)
  }

  /// Calls a closure when an assignment to ``colors`` was refused.
  @discardableResult
  public func onError(_ body: @escaping (PaletteDiffError) -> Void) -> PaletteObservation {
    news.errors.add(body)
  }
}
