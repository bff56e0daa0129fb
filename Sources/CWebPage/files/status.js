/** What the page says of its connection.
 * @param {{isOpen: boolean, isAnswering: boolean, hasAccess: boolean, mayEdit: boolean, failures: number, waiting: number, failure: string}} now
 * @returns {{text: string, kind: "busy" | "live" | "offline" | "refused"}} */
export function describe({ isOpen, isAnswering, hasAccess, mayEdit, failures, waiting, failure }) {
  const edits = waiting === 1 ? "1 edit" : `${waiting} edits`;
  if (isOpen && !isAnswering) return { text: waiting > 0 ? `No answer, ${edits} waiting` : "No answer", kind: "offline" };
  if (isOpen && !mayEdit) return { text: "Live, read only", kind: "live" };
  if (isOpen) return { text: waiting > 0 ? `Live, sending ${edits}` : "Live", kind: "live" };
  if (!hasAccess) return { text: failure || "No access", kind: "refused" };
  if (failures > 0) return { text: waiting > 0 ? `Offline, ${edits} waiting` : "Offline, edits are kept", kind: "offline" };
  return { text: "Connecting …", kind: "busy" };
}
