import { cluster } from "./cluster.js";

addEventListener("message", ({ data }) => postMessage(cluster(data.pixels, data.count)));
