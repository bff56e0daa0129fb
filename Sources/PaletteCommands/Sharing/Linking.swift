package import PaletteStore

/// What a running node does about linked files, for the commands that ask for it.
package protocol Linking: AnyObject {
  /// Keeps a file and its palette together from now on.
  func begin(_ link: StoredLink) throws(APIError)
  /// Leaves a file alone from now on.
  func end(_ file: String)
  /// How a link stands, and whether both sides were looked at; nil where there is none.
  func standing(of file: String) -> (state: StoredLink.State, error: String?, isSettled: Bool)?
  /// The linked file that a path leads to, by whatever name it was linked.
  func linkedFile(sameAs file: String) -> String?
}
