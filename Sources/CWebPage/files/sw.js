// Keeps the page's own files, so that it opens without the node. What it shows then comes from IndexedDB.

const cacheName = "hued";
/** The path of the library, under which alone this worker is asked. */
const base = new URL(".", location.href).pathname;
const pathIn = (/** @type {URL} */ url) => (url.pathname.startsWith(base) ? url.pathname.slice(base.length) : "-");
const isPage = (/** @type {URL} */ url) => pathIn(url) === "" || pathIn(url).startsWith("palettes/");
const isOwnFile = (/** @type {URL} */ url) => isPage(url) || /^[\w-]+\.(js|css)$/.test(pathIn(url));

const worker = /** @type {any} */ (self);
worker.addEventListener("install", (/** @type {any} */ event) => {
  worker.skipWaiting();
  event.waitUntil(keepAll());
});
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || !isOwnFile(url)) return;
  event.respondWith(newest(event.request));
});

/** Keeps the page and every file that it names, because a first visit fetched them before this worker was there. */
async function keepAll() {
  const cache = await caches.open(cacheName);
  const paths = new Set([base]);
  // The set grows while it is walked.
  for (const path of paths) {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await cache.put(path, response.clone());
    for (const [, name] of (await response.text()).matchAll(/["'][\w./-]*\/([\w-]+\.(?:js|css))["']/g)) paths.add(base + name);
  }
}

/** The node's file while there is a node, so that a page is never older than it; else the kept one.
 * @param {Request} request */
async function newest(request) {
  const cache = await caches.open(cacheName);
  // All palettes have the same page.
  const key = isPage(new URL(request.url)) ? base : request;
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}
