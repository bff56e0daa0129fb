// Shows the palettes of a node, live. Names come from strangers: only text nodes are made of them.

const state = document.getElementById("state");
const main = document.getElementById("palettes");
const nameField = document.getElementById("name");
const longestWaitMilliseconds = 30000;

/** The palettes on the page by id: title, colors in order and the element that shows them. */
const shown = new Map();
let socket = null;
let calls = new Map();
let lastCall = 0;
let failures = 0;
let failure = "";
/** The palette that this person was last at. */
let looksAt = null;
let listing = Promise.resolve();

start();

async function start() {
  nameField.value = localStorage.getItem("name") ?? "";
  nameField.onchange = () => {
    localStorage.setItem("name", nameField.value);
    lookAt(looksAt);
  };
  const code = location.hash.slice(1);
  if (code) {
    history.replaceState(null, "", location.pathname);
    // In a header, so that the code is in no address, no history and no log.
    const headers = { authorization: `Bearer ${code}` };
    const response = await fetch("/session", { headers }).catch(() => null);
    if (response?.status === 401) failure = "The link is used up or has expired. ";
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
    failure = "";
    say("Live");
    watchLibrary();
  };
  current.onmessage = (event) => receive(JSON.parse(event.data));
  current.onclose = () => {
    for (const call of calls.values()) call.reject(new Error("the connection ended"));
    calls = new Map();
    for (const palette of shown.values()) palette.element.remove();
    shown.clear();
    failures += 1;
    say(
      wasOpen
        ? "Connection lost; trying again …"
        : `${failure}No access, or the node is down. Open the link that “hued serve” prints.`,
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
  if (message.method === "palette.presence") return showPresence(message.params);
  if (message.method === "library.palettes") return showPalettes(message.params.palettes);
  const waiting = calls.get(message.id);
  if (!waiting) return;
  calls.delete(message.id);
  if (message.error) waiting.reject(new Error(message.error.message));
  else waiting.resolve(message.result);
}

/** Learns which palettes there are, now and from then on. */
async function watchLibrary() {
  try {
    const { palettes } = await call("library.watch", {});
    await showPalettes(palettes);
  } catch (error) {
    if (socket.readyState === WebSocket.OPEN) say(error.message);
  }
}

/** Watches palettes that are new, and forgets those that are gone. */
function showPalettes(palettes) {
  // One list after the other, or a palette would be shown twice.
  listing = listing.then(() => update(palettes));
  return listing;
}

async function update(palettes) {
  try {
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
    if (!shown.has(looksAt) && palettes.length > 0) lookAt(palettes[0].id);
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
  const here = document.createElement("p");
  here.className = "here";
  const list = document.createElement("ol");
  list.className = "swatches";
  element.append(title, here, list);
  element.addEventListener("pointerdown", () => lookAt(snapshot.palette.id));
  main.append(element);
  const palette = { element, title, here, list };
  shown.set(snapshot.palette.id, palette);
  setTitle(snapshot.palette);
  list.append(...snapshot.colors.map(swatch));
}

/** Tells others that this person looks at a palette. */
function lookAt(id) {
  looksAt = id;
  if (!id || socket?.readyState !== WebSocket.OPEN) return;
  const name = nameField.value.trim() || "somebody";
  call("palette.present", { palette: id, name }).then(showPresence, () => {});
}

function showPresence({ palette: id, present }) {
  const palette = shown.get(id);
  if (!palette) return;
  const names = present.map(({ name }) => name).join(", ");
  palette.here.textContent = names && `Here: ${names}`;
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
