/**
 * Pictures can be fitted into their frame, zoomed (buttons, pinch, wheel with Ctrl; without it once the picture has the
 * focus or the whole screen), dragged, shown on the whole screen, and saved as SVG and PNG. A graph finds addresses.
 */
import { button, labelled, searchInput, toolbar } from "./elements.ts";
import { onRenewed } from "./fresh-page.ts";
import { savePicture } from "./save-picture.ts";

const [zoomMin, zoomMax, zoomStep] = [0.05, 8, 1.25];
/** Below it letters cannot be read; without them a large graph is laid out in a fifth of the time. */
const readableMin = 0.45;
/** A phone is held closer than a screen, but not so close. */
const phoneZoomMin = 0.7;

/** As small as letters of a chart may be. */
const chartZoomMin = 0.5;
/** The width of base.css's phone. */
const isPhone = matchMedia("(max-width: 45rem)");

/** By name of the frame, so that a renewed picture keeps its reader's view. */
const zooms = new Map<string, number>();

interface Frame {
  readonly figure: HTMLElement;
  readonly scroll: HTMLElement;
  readonly svg: SVGSVGElement;
  readonly name: string;
}

export function listenToPictures(): void {
  onRenewed((place) => {
    for (const figure of place.querySelectorAll<HTMLElement>(".picture-frame")) {
      const scroll = figure.querySelector<HTMLElement>(".scroll");
      const svg = scroll?.querySelector<SVGSVGElement>("svg");
      if (scroll && svg) {
        const name = scroll.getAttribute("aria-label") ?? `Graph ${scroll.dataset.graph}`;
        equip({ figure, scroll, svg, name });
      }
    }
  });
}

function equip(frame: Frame): void {
  const { figure, scroll, svg, name } = frame;
  const tools = toolbar();
  if (scroll.matches("[data-graph]")) {
    tools.append(searchField(frame));
  }
  // A small picture of bars is seen as it is.
  if (scroll.matches("[data-graph]") || fitting(frame) < 1) {
    const middle = () => [scroll.clientWidth / 2, scroll.clientHeight / 2] as const;
    tools.append(
      button("Fit", () => zoomTo(frame, fitting(frame))),
      button("+", () => zoomTo(frame, zoomOf(frame) * zoomStep, middle()), "Zoom in"),
      button("−", () => zoomTo(frame, zoomOf(frame) / zoomStep, middle()), "Zoom out"),
    );
    listenToHand(frame);
  }
  if (document.fullscreenEnabled) {
    const isWhole = () => document.fullscreenElement !== null;
    tools.append(
      button("Full screen", () => void (isWhole() ? document.exitFullscreen() : figure.requestFullscreen())),
    );
  }
  tools.append(
    button("SVG", () => savePicture(svg, "svg"), "Save as SVG"),
    button("PNG", () => savePicture(svg, "png"), "Save as PNG"),
  );
  scroll.before(tools);
  const kept = zooms.get(name);
  if (kept !== undefined) {
    zoomTo(frame, kept);
  } else if (scroll.dataset.graph === "down" && scroll.clientWidth > 0) {
    // A phone shows its whole width as far as it can be read, else its middle, where the agent is.
    zoomTo(frame, Math.max(phoneZoomMin, fitting(frame)));
    scroll.scrollLeft = (scroll.scrollWidth - scroll.clientWidth) / 2;
  } else if (scroll.dataset.graph === undefined && isPhone.matches && fitting(frame) < 1) {
    // A chart shows most of its marks, whose figures the table below it has.
    zoomTo(frame, Math.max(chartZoomMin, fitting(frame)));
  }
}

function sizeOf({ svg }: Frame): readonly [widthPx: number, heightPx: number] {
  const { width, height } = svg.viewBox.baseVal;
  return [width, height];
}

function zoomOf(frame: Frame): number {
  return Number(frame.svg.getAttribute("width")) / sizeOf(frame)[0];
}

/** The whole picture is seen; a small one is not blown up. */
function fitting(frame: Frame): number {
  const { scroll } = frame;
  const [width, height] = sizeOf(frame);
  const edgesPx = scroll.offsetHeight - scroll.clientHeight;
  const heightPx = Number.parseFloat(getComputedStyle(scroll).maxHeight) - edgesPx || scroll.clientHeight;
  return Math.min(1, scroll.clientWidth / width, heightPx / height);
}

/** `at`: the point of the frame that keeps its place. */
function zoomTo(frame: Frame, wanted: number, [x, y]: readonly [number, number] = [0, 0]): void {
  const { svg, scroll, name } = frame;
  const [width, height] = sizeOf(frame);
  const before = zoomOf(frame);
  const zoom = Math.min(zoomMax, Math.max(zoomMin, wanted));
  svg.classList.toggle("far", zoom < readableMin);
  // A map fills its frame by the style sheet, until it is zoomed.
  Object.assign(svg.style, { width: `${width * zoom}px`, minWidth: "0" });
  svg.setAttribute("width", String(width * zoom));
  svg.setAttribute("height", String(height * zoom));
  scroll.scrollLeft = ((scroll.scrollLeft + x) * zoom) / before - x;
  scroll.scrollTop = ((scroll.scrollTop + y) * zoom) / before - y;
  zooms.set(name, zoom);
}

function listenToHand(frame: Frame): void {
  const { scroll } = frame;
  scroll.addEventListener(
    "wheel",
    (event) => {
      const isMeant =
        event.ctrlKey || scroll.contains(document.activeElement) || document.fullscreenElement !== null;
      if (isMeant && event.deltaY !== 0) {
        event.preventDefault();
        zoomTo(frame, zoomOf(frame) * Math.exp(-event.deltaY / 300), placeIn(scroll, event));
      }
    },
    { passive: false },
  );
  const fingers = new Map<number, PointerEvent>();
  scroll.addEventListener("pointerdown", (event) => fingers.set(event.pointerId, event));
  for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) {
    scroll.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  scroll.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) {
      return;
    }
    const other = [...fingers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
    fingers.set(event.pointerId, event);
    if (other !== undefined) {
      const ratio = distance(event, other) / Math.max(1, distance(before, other));
      zoomTo(frame, zoomOf(frame) * ratio, placeIn(scroll, event));
    } else if (event.pointerType === "mouse") {
      scroll.scrollLeft -= event.clientX - before.clientX;
      scroll.scrollTop -= event.clientY - before.clientY;
    }
  });
}

function distance(a: PointerEvent, b: PointerEvent): number {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}

function placeIn(scroll: HTMLElement, { clientX, clientY }: MouseEvent): readonly [number, number] {
  const { left, top } = scroll.getBoundingClientRect();
  return [clientX - left, clientY - top];
}

/** Marks the nodes that have the text; Enter goes to the next one. */
function searchField(frame: Frame): HTMLElement {
  const { svg } = frame;
  const field = searchInput("", "Address or AS");
  const status = document.createElement("output");
  let found: SVGElement[] = [];
  let at = -1;
  field.addEventListener("input", () => {
    const text = field.value.trim().toLowerCase();
    const nodes = [...svg.querySelectorAll<SVGElement>(".node")];
    const has = (node: SVGElement) => text !== "" && (node.ariaLabel ?? "").toLowerCase().includes(text);
    for (const node of nodes) {
      node.toggleAttribute("data-found", has(node));
    }
    found = nodes.filter(has);
    at = -1;
    status.value =
      text === ""
        ? ""
        : found.length === 0
          ? "Not drawn: closed groups are not searched"
          : `${found.length} found`;
  });
  field.addEventListener("keydown", ({ key }) => {
    if (key === "Enter" && found.length > 0) {
      at = (at + 1) % found.length;
      if (svg.matches(".far")) {
        zoomTo(frame, 1);
      }
      found[at]?.scrollIntoView({ block: "center", inline: "center" });
      status.value = `${at + 1} of ${found.length}: ${found[at]?.ariaLabel ?? ""}`;
    }
  });
  return labelled("Find", field, status);
}
