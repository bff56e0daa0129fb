import { hsbToRGB } from "./conversions.js";
import { followPointer, make } from "./dom.js";

/** Hue across and saturation up at the current brightness, with a circle at the current color. */
export class ColorChart extends HTMLElement {
  /** @param {import("./model.js").ColorModel} model @param {(space: string, isDone: boolean) => void} touched */
  show(model, touched) {
    const canvas = make("canvas", { width: 180, height: 101, "aria-hidden": "true" });
    const circle = make("span", { class: "circle", "aria-hidden": "true" });
    this.append(canvas, circle);
    this.tabIndex = 0;
    this.setAttribute("role", "application");
    const description = make("span", { class: "unseen", id: "chart-value" });
    this.append(description);
    this.setAttribute("aria-describedby", "chart-value");
    this.setAttribute("aria-label", "Hue and saturation chart");
    let drawn = -1;
    let isShown = false;
    const update = () => {
      if (!isShown) return;
      const { h, s, b } = model.state.hsb;
      if (Math.abs(drawn - b) > 0.2) {
        drawn = b;
        draw(canvas, b);
      }
      circle.style.left = `${(h / 360) * 100}%`;
      circle.style.top = `${100 - s}%`;
      circle.style.setProperty("--color", model.hex.slice(0, 7));
      const text = `hue ${Math.round(h)}°, saturation ${Math.round(s)}%`;
      description.textContent = `${text}; arrow keys change them`;
      this.dataset.value = text;
    };
    followPointer(this, canvas, (x, y) => {
      model.setHSB({ h: x * 360, s: 100 - y * 100 });
      touched("hsb", false);
    }, () => touched("hsb", true));
    this.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 10 : 1;
      /** @type {Record<string, [number, number]>} */
      const steps = {
        ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step],
        PageUp: [0, 10], PageDown: [0, -10], Home: [-360, 0], End: [360, 0],
      };
      const move = steps[event.key];
      if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const { h, s } = model.state.hsb;
      model.setHSB({ h: h + move[0], s: s + move[1] });
      touched("hsb", true);
    });
    model.observe(update);
    new ResizeObserver(([{ contentRect }]) => {
      isShown = contentRect.width > 0;
      update();
    }).observe(this);
  }
}
customElements.define("color-chart", ColorChart);

/** @param {HTMLCanvasElement} canvas @param {number} brightness */
function draw(canvas, brightness) {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { width, height } = canvas;
  const image = context.createImageData(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = hsbToRGB({ h: (x / (width - 1)) * 360, s: 100 - (y / (height - 1)) * 100, b: brightness });
      image.data.set([color.r * 255, color.g * 255, color.b * 255, 255], (y * width + x) * 4);
    }
  }
  context.putImageData(image, 0, 0);
}
