import { clip, toHex } from "./color.js";
import { oklabToRGB, rgbToOKLab } from "./conversions.js";

/** The colors that stand for an image best: k-means in OKLab, begun with colors far from each other. The same pixels
 * always give the same colors, most frequent first.
 * @param {Uint8ClampedArray} pixels RGBA @param {number} count */
export function cluster(pixels, count) {
  /** @type {[number, number, number][]} */
  const points = [];
  const step = Math.max(1, Math.floor(pixels.length / 4 / 12000)) * 4;
  for (let at = 0; at < pixels.length; at += step) {
    if (pixels[at + 3] < 128) continue;
    const { l, a, b } = rgbToOKLab({ r: pixels[at] / 255, g: pixels[at + 1] / 255, b: pixels[at + 2] / 255 });
    points.push([l, a, b]);
  }
  if (points.length === 0) return [];
  const centers = [mean(points)];
  const nearest = points.map((point) => distance(point, centers[0]));
  while (centers.length < count) {
    const farthest = nearest.indexOf(nearest.reduce((most, one) => Math.max(most, one)));
    if (farthest < 0 || nearest[farthest] < 1e-5) break;
    centers.push(points[farthest]);
    points.forEach((point, index) => {
      nearest[index] = Math.min(nearest[index], distance(point, points[farthest]));
    });
  }
  /** @type {[number, number, number][][]} */
  let members = [];
  for (let round = 0; round < 12; round++) {
    members = centers.map(() => []);
    for (const point of points) members[closest(point, centers)].push(point);
    members.forEach((group, index) => {
      if (group.length > 0) centers[index] = mean(group);
    });
  }
  const order = centers.map((center, index) => ({ center, size: members[index].length })).filter(({ size }) => size > 0);
  order.sort((left, right) => right.size - left.size);
  return order.map(({ center: [l, a, b] }) => toHex(clip(oklabToRGB({ l, a, b }))));
}

/** @param {number[]} one @param {number[]} other */
const distance = (one, other) =>
  (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2;

/** @param {[number, number, number][]} points @returns {[number, number, number]} */
function mean(points) {
  const sum = points.reduce((total, point) => [total[0] + point[0], total[1] + point[1], total[2] + point[2]]);
  return [sum[0] / points.length, sum[1] / points.length, sum[2] / points.length];
}

/** @param {number[]} point @param {number[][]} centers */
function closest(point, centers) {
  let best = 0;
  for (let index = 1; index < centers.length; index++) {
    if (distance(point, centers[index]) < distance(point, centers[best])) best = index;
  }
  return best;
}
