import { copyColors } from "./copying.js";
import { find } from "./dom.js";

/** Fills the table of commands with what this page does.
 * @param {import("./page.js").Page} page */
export function addCommands(page) {
  const { commands, grid } = page;
  const mayEdit = () => page.canEdit;
  const hasPalette = () => page.library.palette !== null;
  const editsPalette = () => mayEdit() && hasPalette();
  const one = () => mayEdit() && grid.subjects.length === 1;
  const some = () => mayEdit() && grid.subjects.length > 0;
  const move = (/** @type {number} */ by) => () => page.edits.moveBy(by);
  commands.add(
    { name: "save", label: "Save", group: "Colors", keys: ["Mod+S"], when: mayEdit, run: () => page.save() },
    { name: "undo", label: "Undo", group: "Colors", keys: ["Mod+Z"], 
      when: () => editsPalette() && page.library.canUndo, run: () => page.undo() },
    { name: "redo", label: "Redo", group: "Colors", keys: ["Mod+Shift+Z", "Mod+Y"], 
      when: () => editsPalette() && page.library.canRedo, run: () => page.edits.redo() },
    { name: "rename-color", label: "Rename color", group: "Colors", keys: ["F2"], inColors: true, when: one,
      run: () => grid.rename(grid.subjects[0]) },
    { name: "note", label: "Note", group: "Colors", when: one, run: () => page.edits.note(grid.subjects[0]) },
    { name: "duplicate", label: "Duplicate", group: "Colors", keys: ["Mod+D"], inColors: true, when: some,
      run: () => page.edits.duplicate(grid.subjects) },
    { name: "new-from-selection", label: "New palette from these", group: "Colors", when: () => page.rights.mayEdit(null) && grid.selection.size > 0,
      run: () => page.edits.makePalette() },
    { name: "export-selection", label: "Export these", group: "Colors", when: () => !page.isPast && grid.subjects.length > 0,
      run: async () => (await import("./exports.js")).openExport(page, grid.subjects) },
    { name: "copy", label: "Copy", group: "Colors", keys: ["Mod+C"], inColors: true, when: () => grid.subjects.length > 0,
      run: () => copyColors(grid.subjects.flatMap((id) => page.color(id) ?? [])) },
    { name: "delete", label: "Delete", group: "Colors", keys: ["Delete", "Backspace"], inColors: true, isDanger: true, when: some,
      run: () => page.edits.remove(grid.subjects) },
    { name: "select-all", label: "Select all", group: "Colors", keys: ["Mod+A"], inColors: true,
      run: () => grid.selection.set(grid.colors.map(({ id }) => id)) },
    { name: "deselect", label: "Select nothing", group: "Colors", keys: ["Escape"], run: () => page.escape() },
    { name: "move-back", label: "Move back", group: "Colors", keys: ["Alt+ArrowLeft"], inColors: true, when: some, run: move(-1) },
    { name: "move-on", label: "Move on", group: "Colors", keys: ["Alt+ArrowRight"], inColors: true, when: some, run: move(1) },
    { name: "move-up", label: "Move a row up", group: "Colors", keys: ["Alt+ArrowUp"], inColors: true, when: some,
      run: () => page.edits.moveBy(-grid.columns) },
    { name: "move-down", label: "Move a row down", group: "Colors", keys: ["Alt+ArrowDown"], inColors: true, when: some,
      run: () => page.edits.moveBy(grid.columns) },
    { name: "search", label: "Search colors", group: "Page", keys: ["/"], when: hasPalette, run: () => find("search").focus() },
    { name: "new-palette", label: "New palette", group: "Palettes", when: () => page.rights.mayEdit(null), run: () => page.palettes.create() },
    { name: "rename-palette", label: "Rename palette", group: "Palettes", when: editsPalette, run: () => page.palettes.rename() },
    { name: "drop-palette", label: "Delete palette", group: "Palettes", isDanger: true, when: editsPalette, run: () => page.palettes.drop() },
    { name: "dropped-palettes", label: "Deleted palettes", group: "Palettes", when: mayEdit,
      run: async () => (await import("./trash.js")).openTrash(page) },
    { name: "group", label: "Show groups as sections", group: "Palettes", run: () => page.group(true),
      when: () => !grid.headings && page.library.colors.some(({ name }) => name.includes("/")) },
    { name: "ungroup", label: "Show as one list", group: "Palettes", when: () => grid.headings !== null, run: () => page.group(false) },
    { name: "import", label: "Import files", group: "Palettes", when: mayEdit, run: () => find("files").click() },
    { name: "keys", label: "Keys", group: "Page", keys: ["?"], run: async () => (await import("./keys.js")).openKeys(commands) },
    { name: "history", label: "History", group: "Palettes", when: hasPalette, run: () => page.beside.toggle("history") },
    { name: "export", label: "Export", group: "Palettes", when: () => hasPalette() && !page.isPast,
      run: async () => (await import("./exports.js")).openExport(page) },
    { name: "in-use", label: "In use", group: "Palettes", when: hasPalette, run: () => page.beside.toggle("in-use") },
    { name: "share", label: "Share", group: "Palettes", when: () => page.rights.mayShare, run: async () => (await import("./share.js")).openShare(page) },
  );
}
