/** A graph of routers and links for the programs that draw and compute graphs: DOT of Graphviz, and GraphML. Pure. */

/** Rows of the view `graph`; members of nodes and links that are neither text, number nor flag are left out. */
export interface FormedGraph {
  readonly nodes: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
  readonly links: readonly (Readonly<Record<string, unknown>> & {
    readonly from: string;
    readonly to: string;
  })[];
}

type Plain = string | number | boolean;

function isPlain(value: unknown): value is Plain {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Members with a value that both forms can hold; the stack of labels as text. */
function plainOf(row: Readonly<Record<string, unknown>>, without: readonly string[]): [string, Plain][] {
  return Object.entries(row).flatMap(([name, value]): [string, Plain][] => {
    if (without.includes(name)) {
      return [];
    }
    if (name === "mpls_labels" && Array.isArray(value)) {
      return value.length === 0 ? [] : [[name, value.map(labelText).join("|")]];
    }
    return isPlain(value) ? [[name, value]] : [];
  });
}

function labelText(entry: unknown): string {
  return String((entry as { readonly label?: unknown } | null)?.label ?? "");
}

/** As Graphviz reads it: a quoted text ends at a quote without a backslash, and its line ends are escapes. */
function dotText(value: Plain): string {
  return `"${clean(String(value)).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** What XML 1.0 cannot hold, and what makes a text look different, is a blank. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]/gu, " ");
}

export function dotOf({ nodes, links }: FormedGraph): string {
  const list = (pairs: readonly (readonly [string, Plain])[]) =>
    pairs.map(([name, value]) => `${name}=${dotText(value)}`).join(", ");
  return [
    "digraph links {",
    "  rankdir=LR;",
    ...nodes.map((node) => {
      const look: [string, Plain][] =
        node.address === null
          ? [
              ["label", "no answer"],
              ["style", "dashed"],
            ]
          : [];
      // `id` and `label` mean something else to Graphviz.
      return `  ${dotText(node.id)} [${list([...look, ...plainOf(node, ["id", "label"])])}];`;
    }),
    ...links.map(
      (link) => `  ${dotText(link.from)} -> ${dotText(link.to)} [${list(plainOf(link, ["from", "to"]))}];`,
    ),
    "}\n",
  ].join("\n");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function xmlText(value: Plain): string {
  return clean(String(value)).replaceAll(/[&<>"]/g, (found) => entities[found] ?? "");
}

const xmlTypes: Readonly<Record<string, string>> = { string: "string", number: "double", boolean: "boolean" };

export function graphmlOf({ nodes, links }: FormedGraph): string {
  const known = new Map<string, string>();
  const data = (kind: "node" | "edge", pairs: readonly (readonly [string, Plain])[]) =>
    pairs
      .map(([name, value]) => {
        const key = `${kind}_${name}`;
        known.set(
          key,
          `<key id="${key}" for="${kind}" attr.name="${name}" attr.type="${xmlTypes[typeof value]}"/>`,
        );
        return `<data key="${key}">${xmlText(value)}</data>`;
      })
      .join("");
  const body = [
    ...nodes.map((node) => `<node id="${xmlText(node.id)}">${data("node", plainOf(node, ["id"]))}</node>`),
    ...links.map(
      (link) =>
        `<edge source="${xmlText(link.from)}" target="${xmlText(link.to)}">` +
        `${data("edge", plainOf(link, ["from", "to"]))}</edge>`,
    ),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...known.values(),
    '<graph id="links" edgedefault="directed">',
    ...body,
    "</graph>",
    "</graphml>\n",
  ].join("\n");
}
