public import PaletteModel

extension ChangeLog {
  /// Loads a palette and keeps it and the log the same.
  ///
  /// Whatever is edited through the palette, its name, colors, notes and order, is written to the log
  /// in the order in which it was made, in the background; ``PaletteModel/Palette/flush()`` waits for
  /// it. An edit names what the palette showed when it was made: what others wrote meanwhile is not
  /// overwritten, but stays beside it as a conflict. ``PaletteModel/Palette/refresh()`` and
  /// ``PaletteModel/Palette/follow()`` take in what others write.
  ///
  /// - Returns: The palette, which belongs to the caller's isolation.
  /// - Throws: `StoreError`, also where the log has no such palette.
  nonisolated(nonsending) public func palette(_ id: PaletteID) async throws -> Palette {
    let recorder = PaletteRecorder(of: id, in: self)
    let kept = try await recorder.load()
    let palette = try Palette(id: id, name: kept.name, colors: kept.colors)
    palette.onChange { change in
      if change.origin == .here { recorder.record(.colors(change.diff)) }
    }
    palette.onRename { rename in
      if rename.origin == .here { recorder.record(.name(rename.after)) }
    }
    palette.backing = recorder
    return palette
  }

  /// The palettes of which something is committed from now on.
  nonisolated func commits() async -> AsyncStream<PaletteID> {
    let (stream, continuation) = AsyncStream.makeStream(of: PaletteID.self)
    await add(continuation)
    return stream
  }
}
