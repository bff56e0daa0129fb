import assert from "node:assert/strict";
import { test } from "node:test";
import { countPassing, lightnessContrast, measure, ratio, thresholds } from "../../Sources/CWebPage/files/apca.js";

test("lightness contrast has the published values of APCA 0.1.9", () => {
  for (const [text, ground, value] of /** @type {[string, string, number][]} */ ([
    ["#888888", "#ffffff", 63.056469930209424], ["#ffffff", "#888888", -68.54146436644962],
    ["#000000", "#aaaaaa", 58.146262578561334], ["#aaaaaa", "#000000", -56.24113336839742],
    ["#112233", "#ddeeff", 91.66830811481631], ["#ddeeff", "#112233", -93.06770049484275],
    ["#112233", "#444444", 8.32326136957393], ["#444444", "#112233", -7.526878460278154],
  ])) assert.ok(Math.abs(lightnessContrast(measure(text), measure(ground)) - value) < 1e-9, `${text} on ${ground}`);
});

test("equal colors have no contrast", () => {
  assert.equal(lightnessContrast(measure("#777777"), measure("#777777")), 0);
  assert.equal(ratio(measure("#777777"), measure("#777777")), 1);
});

test("the ratio is the same both ways", () => {
  assert.equal(ratio(measure("#123456"), measure("#fedcba")), ratio(measure("#fedcba"), measure("#123456")));
  assert.equal(ratio(measure("#000000"), measure("#ffffff")), 21);
});

test("pairs are counted both ways, without a color on itself", () => {
  const measures = ["#000000", "#ffffff", "#808080"].map(measure);
  const least = (/** @type {string} */ name) => /** @type {any} */ (thresholds.find((one) => one.name === name));
  assert.equal(countPassing(measures, least("wcag-3")), 6);
  assert.equal(countPassing(measures, least("wcag-4.5")), 4);
  assert.equal(countPassing(measures, least("apca-75")), 2);
});
