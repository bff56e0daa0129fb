public import PaletteModel

extension ChangeStore {
  /// The palettes of which a peer is written to hold another part of this library's own changes than
  /// is held here.
  ///
  /// Where it turns out that a peer holds all that is here, these are what has to be written.
  public func palettesStatedOtherwise(by url: String) throws(StoreError) -> [PaletteID] {
    let select = try connection.prepare(
      """
      SELECT palette.uuid FROM stream JOIN palette ON palette.id = stream.palette
      LEFT JOIN stated ON stated.peer = (SELECT id FROM peer WHERE url = ?1)
      AND stated.palette = palette.uuid AND stated.node = stream.node
      WHERE stream.node = ?2 AND stream.held > 0 AND stated.sequence IS NOT stream.held
      """
    )
    var found: Set<PaletteID> = []
    for node in identities {
      try select.bind(url, at: 1)
      try select.bind(Int64(bitPattern: node.rawValue), at: 2)
      try select.rows { row throws(StoreError) in found.insert(PaletteID(try row.recordID(0))) }
    }
    return found.sorted()
  }
}
