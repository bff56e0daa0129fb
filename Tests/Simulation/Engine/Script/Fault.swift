/// Something that happens to machines, disks, clocks and connections.
public enum Fault: Hashable, Sendable {
  /// The connections between two machines break: at one end at once, at the other later.
  case cut(Int, Int, laterMilliseconds: Int64)
  /// Some machines cannot reach the others for a while.
  case partition([Int], milliseconds: Int64)
  /// For a while, what one machine sends to another arrives badly.
  case distort(from: Int, to: Int, Distortion, milliseconds: Int64)
  /// For a while, a machine reads slowly.
  case slowReader(Int, milliseconds: Int64)
  /// A machine loses power at one of its next syncs, and comes back.
  case crash(Int, afterSyncs: Int, isAfterSync: Bool, backAfterMilliseconds: Int64)
  /// A machine loses power between two events, and comes back.
  case powerLoss(Int, backAfterMilliseconds: Int64)
  /// A node ends in good order, and starts again.
  case restart(Int, backAfterMilliseconds: Int64)
  /// Some writes of a machine's disk fail.
  case diskFailure(Int, DiskFailure, afterOperations: Int, count: Int)
  /// For a while, a machine's disk is slow.
  case slowDisk(Int, milliseconds: Int64)
  /// Somebody looks at a color at a machine, or at nothing any more.
  case look(Int, palette: Int, color: Int?)
  /// Somebody at a machine asks for a palette's whole history.
  case fetchHistory(Int, palette: Int)
  /// A machine's clock jumps.
  case clockJump(Int, milliseconds: Int64)
  /// A machine's library is backed up.
  case backup(Int)
  /// A machine's library is replaced by its last backup.
  case recover(Int)
  /// A machine's disk is put aside as it is, as the snapshot of a virtual machine.
  case image(Int)
  /// A machine's disk is put back to its last image: nothing there can tell, and for some time nobody is there
  /// to tell it.
  case rollBack(Int, aloneMilliseconds: Int64)
  /// A machine's whole folder is copied to a machine that is new.
  case clone(Int, as: Int)
  /// A machine speaks other protocol versions from its next connection on.
  case versions(Int, [UInt64])
  /// A hub revokes what a machine joined it with.
  case revoke(hub: Int, dialer: Int)
  /// A hub revokes one of several grants that a machine has there.
  case revokeOne(Script.Edge)
  /// A machine gives back one of several grants, and gets it again later.
  case giveBack(Script.Edge, backAfterMilliseconds: Int64)
  /// A hub shares with a machine anew.
  case share(hub: Int, dialer: Int)
  /// A machine leaves its hub, and joins it again later.
  case leave(hub: Int, dialer: Int, backAfterMilliseconds: Int64)
  /// A machine leaves its hub for good, and joins another one in the same role.
  case move(Int, from: Int, to: Int)
  /// A machine's user asks to sync at once.
  case syncNow(Int)
  /// Something happens to a palette file at a machine.
  case file(Int, PaletteFile, FileAction)

  /// The way in which messages arrive badly.
  public enum Distortion: String, CaseIterable, Sendable {
    case lost, duplicated, reordered, delayed, truncated
    /// Nothing arrives until it is over, while all goes well in the other direction.
    case stalled
  }

  /// The failure of a disk.
  public enum DiskFailure: String, CaseIterable, Sendable {
    case read, write, full, sync, lostSync
  }
}
