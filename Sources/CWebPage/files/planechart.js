import { clamp } from "./conversions.js";
import { followPointer, make } from "./dom.js";
import { edges, fillPlane, widestChroma } from "./plane.js";

/** Pixels of the plane; the browser smooths them. */
const width = 192;
const height = 104;
const rows = 79;

/** Chroma across and lightness up at the present hue of OKLCH, with the edges of sRGB and P3 and a circle at the
 * current color. It is drawn when the hue is another one, and only while it is shown. */
export class PlaneChart extends HTMLElement {
  /** @param {import("./model.js").ColorModel} model @param {(space: string, isDone: boolean) => void} touched */
  show(model, touched) {
    const isWide = matchMedia("(color-gamut: p3)").matches;
    const canvas = make("canvas", { width, height, "aria-hidden": "true" });
    const lines = make("canvas", { class: "lines", "aria-hidden": "true" });
    const circle = make("span", { class: "circle", "aria-hidden": "true" });
    const names = make("span", { class: "edge-names", "aria-hidden": "true" }, make("span", {}, "sRGB"), make("span", {}, "P3"));
    const description = make("span", { class: "unseen", id: "plane-value" });
    this.append(canvas, lines, names, circle, description);
    this.tabIndex = 0;
    this.setAttribute("role", "application");
    this.setAttribute("aria-describedby", description.id);
    this.setAttribute("aria-label", "Lightness and chroma chart");
    const context = canvas.getContext("2d", isWide ? { colorSpace: "display-p3" } : {});
    const image = context?.createImageData(width, height, isWide ? { colorSpace: "display-p3" } : {});
    let drawn = NaN;
    // Asking for its size at each change would make the browser lay out the page each time.
    let isShown = false;
    const update = () => {
      if (!isShown) return;
      const { l, c, h } = model.state.lch;
      if (context && image && !(Math.abs(drawn - h) < 0.05)) {
        drawn = h;
        fillPlane(image.data, width, height, h, isWide);
        context.putImageData(image, 0, 0);
        drawEdges(lines, h);
      }
      circle.style.left = `${Math.min(1, c / widestChroma) * 100}%`;
      circle.style.top = `${(1 - l) * 100}%`;
      circle.style.setProperty("--color", model.hex.slice(0, 7));
      const text = `lightness ${Math.round(l * 100)}%, chroma ${c.toFixed(3)}`;
      description.textContent = `${text}; arrow keys change them, with Shift by tens`;
      this.dataset.value = text;
    };
    followPointer(this, canvas, (x, y) => {
      model.setOKLCH({ l: 1 - y, c: x * widestChroma });
      touched("oklch", false);
    }, () => touched("oklch", true));
    this.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 10 : 1;
      /** @type {Record<string, [number, number]>} */
      const moves = {
        ArrowLeft: [0, -step], ArrowRight: [0, step], ArrowUp: [step, 0], ArrowDown: [-step, 0],
        PageUp: [10, 0], PageDown: [-10, 0], Home: [0, -1000], End: [0, 1000],
      };
      const move = moves[event.key];
      if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const { l, c } = model.state.lch;
      model.setOKLCH({ l: clamp(l + move[0] / 100, 0, 1), c: clamp(c + move[1] * 0.004, 0, widestChroma) });
      touched("oklch", true);
    });
    model.observe(update);
    new ResizeObserver(([{ contentRect }]) => {
      isShown = contentRect.width > 0;
      drawn = NaN;
      update();
    }).observe(this);
  }
}
customElements.define("plane-chart", PlaneChart);

/** Draws the edges of sRGB (a line) and P3 (dashes).
 * @param {HTMLCanvasElement} lines @param {number} hue */
function drawEdges(lines, hue) {
  const scale = Math.min(2, devicePixelRatio);
  lines.width = lines.clientWidth * scale;
  lines.height = lines.clientHeight * scale;
  const context = lines.getContext("2d");
  if (!context) return;
  const { srgb, p3 } = edges(hue, rows);
  [p3, srgb].forEach((edge, index) => {
    const path = new Path2D();
    edge.forEach((chroma, row) => path.lineTo((chroma / widestChroma) * lines.width, (1 - row / (rows - 1)) * lines.height));
    context.setLineDash(index === 0 ? [4 * scale, 3 * scale] : []);
    context.lineWidth = 2 * scale;
    context.strokeStyle = "rgb(0 0 0 / 30%)";
    context.stroke(path);
    context.lineWidth = scale;
    context.strokeStyle = "#fff";
    context.stroke(path);
  });
}
