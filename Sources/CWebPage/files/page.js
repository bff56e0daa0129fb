// Shows the palettes of a node, live. Names come from strangers: only text nodes are made of them.

const state = document.getElementById("state");
const main = document.getElementById("palettes");
const refreshMilliseconds = 5000;
const longestWaitMilliseconds = 30000;

/** The palettes on the page by id: title, colors in order and the element that shows them. */
const shown = new Map();
let socket = null;
let calls = new Map();
let lastCall = 0;
let failures = 0;
let refreshing = 0;

start();

async function start() {
  const code = location.hash.slice(1);
  if (code) {
    history.replaceState(null, "", location.pathname);
    // In a header, so that the code is in no address, no history and no log.
    await fetch("/session", { headers: { authorization: `Bearer ${code}` } }).catch(() => {});
  }
  connect();
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const current = new WebSocket(`${scheme}//${location.host}/rpc`, "hued.rpc.v1");
  let wasOpen = false;
  socket = current;
  current.onopen = () => {
    wasOpen = true;
    failures = 0;
    say("Live");
    refresh();
    refreshing = setInterval(refresh, refreshMilliseconds);
  };
  current.onmessage = (event) => receive(JSON.parse(event.data));
  current.onclose = () => {
    clearInterval(refreshing);
    for (const call of calls.values()) call.reject(new Error("the connection ended"));
    calls = new Map();
    for (const palette of shown.values()) palette.element.remove();
    shown.clear();
    failures += 1;
    say(
      wasOpen
        ? "Connection lost; trying again …"
        : "No access, or the node is down. Open the link that “hued serve” prints.",
    );
    const limit = Math.min(longestWaitMilliseconds, 500 * 2 ** Math.min(failures, 10));
    setTimeout(connect, Math.random() * limit);
  };
}

function call(method, params) {
  lastCall += 1;
  const id = lastCall;
  socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  return new Promise((resolve, reject) => calls.set(id, { resolve, reject }));
}

function receive(message) {
  if (message.method === "palette.diff") return applyDiff(message.params);
  if (message.method === "palette.title") return setTitle(message.params.palette);
  const waiting = calls.get(message.id);
  if (!waiting) return;
  calls.delete(message.id);
  if (message.error) waiting.reject(new Error(message.error.message));
  else waiting.resolve(message.result);
}

/** Watches palettes that are new, and forgets those that are gone. */
async function refresh() {
  try {
    const { palettes } = await call("palettes", {});
    const ids = new Set(palettes.map((palette) => palette.id));
    for (const [id, palette] of shown) {
      if (!ids.has(id)) {
        palette.element.remove();
        shown.delete(id);
        await call("palette.unwatch", { palette: id }).catch(() => {});
      }
    }
    for (const { id } of palettes) {
      if (!shown.has(id)) show(await call("palette.watch", { palette: id }));
    }
    if (socket.readyState === WebSocket.OPEN) {
      say(palettes.length === 0 ? "Live; there are no palettes yet" : "Live");
    }
  } catch (error) {
    if (socket.readyState === WebSocket.OPEN) say(error.message);
  }
}

function show(snapshot) {
  const element = document.createElement("section");
  const title = document.createElement("h2");
  const list = document.createElement("ol");
  list.className = "swatches";
  element.append(title, list);
  main.append(element);
  const palette = { element, title, list, colors: snapshot.colors };
  shown.set(snapshot.palette.id, palette);
  setTitle(snapshot.palette);
  list.append(...snapshot.colors.map(swatch));
}

function setTitle({ id, name }) {
  const palette = shown.get(id);
  if (!palette) return;
  palette.title.textContent = name;
  palette.list.setAttribute("aria-label", name);
}

function swatch(color) {
  const item = document.createElement("li");
  item.className = "swatch";
  const area = document.createElement("div");
  area.className = "area";
  area.style.backgroundColor = color.color;
  const name = document.createElement("p");
  name.textContent = color.name;
  const hex = document.createElement("p");
  hex.className = "hex";
  hex.textContent = color.hex;
  item.append(area, name, hex);
  return item;
}

/** Takes out what goes or moves, by old index, then puts in what comes, by new index. */
function applyDiff(diff) {
  const palette = shown.get(diff.palette);
  if (!palette) return;
  const items = [...palette.list.children];
  const arrivals = [
    ...diff.moves.map((move) => ({ index: move.to, item: items[move.from] })),
    ...diff.insertions.map(({ index, color }) => ({ index, item: swatch(color) })),
  ];
  for (const { index } of diff.deletions) items[index].remove();
  for (const { from } of diff.moves) items[from].remove();
  arrivals.sort((left, right) => left.index - right.index);
  for (const { index, item } of arrivals) {
    palette.list.insertBefore(item, palette.list.children[index] ?? null);
  }
  for (const { index, color } of diff.updates) {
    palette.list.children[index].replaceWith(swatch(color));
  }
}

function say(text) {
  if (state.textContent !== text) state.textContent = text;
}
