import { make } from "./dom.js";
import { makeTabs } from "./tabs.js";
import { PlaneChart } from "./planechart.js";
import { ColorSlider, groups } from "./sliders.js";

/** @typedef {import("./model.js").ColorModel} ColorModel */
/** @typedef {(space: string, isDone: boolean) => void} Touched */

/** The spaces, in the order of their tabs: id, title, and which sliders are theirs.
 * @type {[string, string, number][]} */
const spaces = [["oklch", "OKLCH", 2], ["hsb", "HSB", 1], ["rgb", "RGB", 0]];

/** Everything that a color is made with: a tab a space with its chart and its sliders, those of the other spaces small
 * below, since all of them show one model. */
export class ColorPicker {
  element = make("div", { class: "picker" });
  /** @type {HTMLFieldSetElement[]} */
  #sliders;
  /** @type {HTMLElement[]} */
  #charts;
  #isStill = false;
  /** The chart of a tab that few use comes when that is chosen.
   * @type {Promise<void> | null} */
  #chart = null;

  /** @param {ColorModel} model @param {Touched} touched */
  constructor(model, touched) {
    const sliders = this.#sliders = groups.map((group) => make("fieldset", { class: "sliders" }, ...group.map((component) => {
      const slider = new ColorSlider();
      slider.show(component, model, touched);
      return slider;
    })));
    for (const [, title, group] of spaces) sliders[group].prepend(make("legend", {}, title));
    const plane = new PlaneChart();
    plane.show(model, touched);
    this.#charts = [plane];
    const others = make("div", { class: "others-sliders" });
    const panels = spaces.map((_, index) => make("div", { class: "picker-panel" }, ...(index === 0 ? [plane] : [])));
    const { list, choose } = makeTabs("Color space", spaces.map(([id, title], index) => [id, title, panels[index]]), (id) => {
      try {
        localStorage.setItem("space", id);
      } catch {
        // The tab of this visit is enough.
      }
      if (id === "hsb") this.#needChart(panels[1], model, touched);
      spaces.forEach(([one, , group], index) => (one === id ? panels[index] : others).append(sliders[group]));
    });
    this.element.append(list, ...panels, sliders[3], make("details", { class: "tool", open: true }, make("summary", {}, "Other spaces"), others));
    const last = localStorage.getItem("space");
    choose(spaces.some(([id]) => id === last) && last ? last : "oklch");
  }

  /** @param {HTMLElement} panel @param {ColorModel} model @param {Touched} touched */
  #needChart(panel, model, touched) {
    this.#chart ??= import("./chart.js").then(({ ColorChart }) => {
      const chart = new ColorChart();
      chart.show(model, touched);
      chart.inert = this.#isStill;
      this.#charts.push(chart);
      panel.prepend(chart);
    }, () => {
      this.#chart = null;
    });
  }

  /** Whether it shows a color that cannot be changed.
   * @param {boolean} isStill */
  set isStill(isStill) {
    this.#isStill = isStill;
    for (const one of this.#sliders) one.disabled = isStill;
    for (const one of this.#charts) one.inert = isStill;
  }
}
