// Keeps the page's own files, so that it opens without the node. What it shows then comes from IndexedDB.

const cacheName = "hued";
const isOwnFile = (/** @type {URL} */ url) => url.pathname === "/" || /^\/[\w-]+\.(js|css)$/.test(url.pathname);

const worker = /** @type {any} */ (self);
worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || !isOwnFile(url)) return;
  event.respondWith(newest(event.request));
});

/** The node's file while there is a node, so that a page is never older than it; else the kept one.
 * @param {Request} request */
async function newest(request) {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}
