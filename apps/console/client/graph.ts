/**
 * Keys in a path graph: one node has the focus; left and right move to the previous and next TTL, up and down within
 * it (the other way round where it is drawn from top to bottom), Home and End to the first and last TTL; Enter shows
 * the node's figures, or expands the group; Esc hides them.
 */
import { onRenewed } from "./fresh-page.ts";

export function listenToGraphs(): void {
  onRenewed((place) => {
    for (const graph of place.querySelectorAll<HTMLElement>("[data-graph]")) {
      graph.addEventListener("keydown", (event) => act(graph, event));
      graph.addEventListener("click", (event) => {
        const node = event.target instanceof Element ? nodeOf(event.target) : null;
        if (node !== null) {
          focus(graph, node);
          choose(graph, node);
        }
      });
    }
  });
}

function act(graph: HTMLElement, event: KeyboardEvent): void {
  const node = event.target instanceof Element ? nodeOf(event.target) : null;
  if (node === null || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (event.key === "Enter") {
    choose(graph, node);
  } else if (event.key === "Escape") {
    choose(graph, null);
  } else {
    const next = neighbour(graph, node, event.key);
    if (next === null) {
      return;
    }
    focus(graph, next);
  }
  event.preventDefault();
}

const turned: Readonly<Record<string, string>> = {
  ...{ ArrowUp: "ArrowLeft", ArrowLeft: "ArrowUp" },
  ...{ ArrowDown: "ArrowRight", ArrowRight: "ArrowDown" },
};

function neighbour(graph: HTMLElement, node: SVGElement, key: string): SVGElement | null {
  const columns = [...Map.groupBy(nodesOf(graph), ({ dataset }) => Number(dataset.ttl))];
  const at = columns.findIndex(([ttl]) => ttl === Number(node.dataset.ttl));
  const column = columns[at]?.[1] ?? [];
  const isDown = graph.dataset.graph === "down";
  const side = isDown ? "left" : "top";
  switch (isDown ? (turned[key] ?? key) : key) {
    case "ArrowUp":
      return column[column.indexOf(node) - 1] ?? null;
    case "ArrowDown":
      return column[column.indexOf(node) + 1] ?? null;
    case "ArrowLeft":
      return nearest(columns[at - 1]?.[1] ?? [], node, side);
    case "ArrowRight":
      return nearest(columns[at + 1]?.[1] ?? [], node, side);
    case "Home":
      return columns[0]?.[1][0] ?? null;
    case "End":
      return columns.at(-1)?.[1][0] ?? null;
    default:
      return null;
  }
}

/** The nearest one across the flow. */
function nearest(nodes: readonly SVGElement[], to: SVGElement, side: "top" | "left"): SVGElement | null {
  const middle = (node: SVGElement) => {
    const { [side]: start, width, height } = node.getBoundingClientRect();
    return start + (side === "top" ? height : width) / 2;
  };
  const distance = (node: SVGElement) => Math.abs(middle(node) - middle(to));
  return nodes.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

function focus(graph: HTMLElement, next: SVGElement): void {
  for (const node of nodesOf(graph)) {
    node.setAttribute("tabindex", node === next ? "0" : "-1");
  }
  next.focus();
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function choose(graph: HTMLElement, chosen: SVGElement | null): void {
  if (chosen?.dataset.kind === "folded") {
    const link = `[data-opens="${Number(chosen.dataset.ttl)}"]`;
    document.querySelector<HTMLAnchorElement>(link)?.click();
    return;
  }
  for (const node of nodesOf(graph)) {
    if (node === chosen) {
      node.setAttribute("aria-current", "true");
    } else {
      node.removeAttribute("aria-current");
    }
  }
  const status = graph.parentElement?.querySelector("[role=status]") ?? null;
  if (status !== null) {
    status.textContent = chosen?.getAttribute("aria-label") ?? "";
  }
}

function nodesOf(graph: HTMLElement): SVGElement[] {
  return [...graph.querySelectorAll<SVGElement>(".node")];
}

function nodeOf(element: Element): SVGElement | null {
  return element.closest<SVGElement>(".node");
}
