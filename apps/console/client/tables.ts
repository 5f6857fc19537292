/**
 * Any table sorts by each column (one more click: the other way, another: as it came); longer ones can be filtered, and
 * copied with tabs between the columns. Only the rows on the page are meant: what the page leaves out, it says itself.
 */
import { copy } from "./copy.ts";
import { button, labelled, searchInput, toolbar } from "./elements.ts";
import { onRenewed } from "./fresh-page.ts";

/** A shorter table is seen as a whole. */
const filteredRowsMin = 8;

interface Choice {
  /** Index of the column, and its order; null = as the rows came. */
  sort: { readonly column: number; readonly isDescending: boolean } | null;
  /** Words that a row must have, in any order. */
  filter: string;
}

/** By caption, so that a renewed table keeps its reader's view. */
const choices = new Map<string, Choice>();

interface Shown {
  readonly section: HTMLElement;
  readonly heads: readonly HTMLTableCellElement[];
  /** As they came. */
  readonly rows: readonly HTMLTableRowElement[];
  readonly choice: Choice;
}

export function listenToTables(): void {
  onRenewed((place) => {
    const own = place instanceof HTMLElement && place.matches("section.scroll") ? [place] : [];
    for (const section of [...own, ...place.querySelectorAll<HTMLElement>("section.scroll")]) {
      equip(section);
    }
  });
}

function equip(section: HTMLElement): void {
  const table = section.querySelector("table");
  const rows = [...(table?.tBodies[0]?.rows ?? [])];
  if (table === null || rows.length < 2) {
    return;
  }
  const name = table.caption?.textContent ?? "";
  const choice = choices.get(name) ?? { sort: null, filter: "" };
  choices.set(name, choice);
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const shown: Shown = { section, heads, rows, choice };
  heads.forEach((head, column) => {
    // One with a link is sorted by the gateway.
    if (head.querySelector("a") === null) {
      head.replaceChildren(sortButton(shown, column));
    }
  });
  if (rows.length >= filteredRowsMin) {
    addTools(shown, name);
  }
  arrange(shown);
}

function sortButton(shown: Shown, column: number): HTMLButtonElement {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "sort" });
  button.append(...(shown.heads[column]?.childNodes ?? []));
  button.addEventListener("click", () => {
    const { sort } = shown.choice;
    const isSame = sort?.column === column;
    shown.choice.sort = isSame && sort.isDescending ? null : { column, isDescending: isSame };
    arrange(shown);
  });
  return button;
}

function arrange({ section, heads, rows, choice: { sort, filter } }: Shown): void {
  heads.forEach((head, column) => {
    if (head.querySelector("a") === null) {
      const order = sort?.isDescending === true ? "descending" : "ascending";
      head.setAttribute("aria-sort", sort?.column === column ? order : "none");
    }
  });
  const sorted = sort === null ? rows : sortedBy(rows, sort.column, sort.isDescending);
  section.querySelector("tbody")?.replaceChildren(...sorted);
  const words = filter.toLowerCase().split(/\s+/);
  let count = 0;
  for (const row of rows) {
    const text = (row.textContent ?? "").toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    count += row.hidden ? 0 : 1;
  }
  const status = toolsOf(section)?.querySelector("output");
  if (status) {
    status.value = filter.trim() === "" ? `${rows.length} rows` : `${count} of ${rows.length} rows`;
  }
}

type Key = number | string | null;

/** Cells without a value are last in either order. */
function sortedBy(rows: readonly HTMLTableRowElement[], column: number, isDescending: boolean) {
  const keyed = rows.map((row) => ({ row, key: keyOf(row.cells[column]) }));
  const isText = keyed.some(({ key }) => typeof key === "string");
  const sign = isDescending ? -1 : 1;
  return keyed
    .sort(({ key: a }, { key: b }) => {
      if (a === null || b === null) {
        return Number(a === null) - Number(b === null);
      }
      const order = isText
        ? String(a).localeCompare(String(b), "en", { numeric: true })
        : Number(a) - Number(b);
      return sign * order;
    })
    .map(({ row }) => row);
}

function keyOf(cell: HTMLTableCellElement | undefined): Key {
  const time = cell?.querySelector("time")?.dateTime;
  if (time) {
    return Date.parse(time);
  }
  const text = cell?.textContent?.trim() ?? "";
  const [number] = /^[+-]?[\d,]*\.?\d+(?=( ?%| m?s)?$)/.exec(text) ?? [];
  return number === undefined
    ? text === "" || text === "–"
      ? null
      : text
    : Number(number.replaceAll(",", ""));
}

function addTools(shown: Shown, name: string): void {
  toolsOf(shown.section)?.remove();
  const tools = toolbar();
  const field = searchInput(shown.choice.filter);
  field.setAttribute("aria-label", `Filter: ${name}`);
  field.addEventListener("input", () => {
    shown.choice.filter = field.value;
    arrange(shown);
  });
  tools.append(labelled("Filter", field), document.createElement("output"));
  // A page by http:// from another host has none.
  if (isSecureContext) {
    tools.append(button("Copy", () => void copyRows(shown), `Copy: ${name}`));
  }
  shown.section.before(tools);
}

/** Null where the table has none. */
function toolsOf(section: HTMLElement): Element | null {
  const before = section.previousElementSibling;
  return before?.matches(".tools") ? before : null;
}

async function copyRows({ section, heads }: Shown): Promise<void> {
  const rows = [...section.querySelectorAll<HTMLTableRowElement>("tbody tr:not([hidden])")];
  const lines = [heads, ...rows.map(({ cells }) => [...cells])].map((cells) =>
    cells.map(plainText).join("\t"),
  );
  await copy(`${lines.join("\n")}\n`, `Copied ${rows.length} ${rows.length === 1 ? "row" : "rows"}`);
}

/** Nothing that a spreadsheet would compute: others' names and texts are in it. */
function plainText(cell: HTMLTableCellElement): string {
  const text = (cell.textContent ?? "").replaceAll(/\s+/g, " ").trim();
  return /^[=+@-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
}
