/** Saves a picture of the page as a file that stands alone: with its style, and a ground. */
import { showStatus } from "./status-line.ts";

const svgNamespace = "http://www.w3.org/2000/svg";

/** PNG has two pixels for each one of the page, as far as browsers can draw it. */
const [pngScale, pngSideMax] = [2, 8192];

export function savePicture(svg: SVGSVGElement, kind: "svg" | "png"): void {
  const file = new Blob([standalone(svg)], { type: "image/svg+xml" });
  const done = kind === "svg" ? Promise.resolve(file) : drawn(file, svg);
  done.then(
    (blob) => save(blob, `${nameOf(document.title)}.${kind}`),
    (error: unknown) => showStatus(`Cannot save the picture: ${String(error)}`, true),
  );
}

function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  for (const one of copy.querySelectorAll("[tabindex], [data-found], [aria-current]")) {
    for (const name of ["tabindex", "data-found", "aria-current"]) {
      one.removeAttribute(name);
    }
  }
  const ground = document.createElementNS(svgNamespace, "rect");
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", class: "ground" })) {
    ground.setAttribute(name, value);
  }
  const style = document.createElementNS(svgNamespace, "style");
  style.textContent = pictureRules();
  copy.prepend(style, ground);
  return new XMLSerializer().serializeToString(copy);
}

function pictureRules(): string {
  return [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .map(({ cssText }) => cssText)
    .filter((rule) => rule.startsWith(".picture"))
    .join("\n");
}

async function drawn(file: Blob, svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.viewBox.baseVal;
  const scale = Math.min(pngScale, pngSideMax / Math.max(width, height));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.ceil(width * scale),
    height: Math.ceil(height * scale),
  });
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(image.src);
  }
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("it is too large")) : resolve(blob)),
      "image/png",
    );
  });
}

function save(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}

/** Letters and digits of the page's title, which may have others' names. */
function nameOf(title: string): string {
  return (
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "")
      .slice(0, 60) || "picture"
  );
}
