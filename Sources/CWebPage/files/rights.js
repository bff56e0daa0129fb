/** @typedef {{role: string | null, name?: string | null, node?: string | null,
 *   grants: {role: string, palette: string | null}[]}} Told */

/** What this session may do, as the node told it. Nothing is forbidden before it did: the node decides in the end. */
export class Rights {
  /** What `whoami` said; null while nobody did.
   * @type {Told | null} */
  #told = null;
  /** Whether the node lets this page in at all. */
  hasAccess = true;

  /** @param {Told | null} told */
  set told(told) {
    this.#told = told;
  }

  get told() {
    return this.#told;
  }

  /** What the node calls whoever uses this page. */
  get name() {
    return this.#told?.name ?? "";
  }

  /** What whoever uses this page is called among people. An owner's page has a name of its own, so that terminals tell it
   * from the owner. */
  get spokenName() {
    return this.name.replace(/ \(page\)$/, "");
  }

  /** The id that edits of this page are made under. */
  get node() {
    return this.#told?.node ?? null;
  }

  /** Whether colors of a palette may be edited; without one, whether palettes may be made.
   * @param {string | null} palette */
  mayEdit(palette) {
    if (!this.hasAccess) return false;
    return this.#told === null || this.#roles(palette).some((role) => role !== null && role !== "viewer");
  }

  get mayShare() {
    return this.hasAccess && (this.#told === null || this.#told.role === "owner");
  }

  /** The roles on a palette; on the library as a whole when there is none.
   * @param {string | null} palette */
  #roles(palette) {
    const some = this.#told?.grants.filter((grant) => palette !== null && grant.palette === palette) ?? [];
    return [this.#told?.role ?? null, ...some.map((grant) => grant.role)];
  }
}
