/// A descriptor of somebody else that the loop watches, and what to do when it can be read.
final class DescriptorWatch: Attachment {
  let action: () -> Void

  init(_ action: @escaping () -> Void) {
    self.action = action
  }
}
