/**
 * Forms that change something: `<form data-call="PUT /api/…/{agent}">` sends its fields as JSON, with the header
 * without which the gateway changes nothing.
 *
 * `{name}` in the path is the field of that name, which then is not in the body. A field's `data-kind` is its type in
 * JSON: `number`, `numberOrNull`, `textOrNull`, `words` (a list of them), `commaWords` (a list with commas),
 * `neighbors` (a list of names and ASNs), `counts` (`transit=2`: numbers by name), `flag` (true when ticked), `yes`
 * (true or false), `utc` (a time), `ticked` (a list of the ticked fields' values); absent: a text. Texts, times, flags
 * and lists of neighbours are left out when empty. `data-body` is sent unchanged instead of fields.
 *
 * After success the status line shows `data-done` and `data-shows`; with `data-once`, which is a title, the latter is
 * in a dialog with a button to copy it, as it cannot be read again. Then the browser opens `data-then`; without it the
 * content is fetched again. In both, `{id}` is that member of the response. A button with its own `data-call` uses that
 * and its own texts; with `data-dry` nothing is changed, so the fields keep their content.
 */
import { renew } from "./fresh-page.ts";
import { showOnce } from "./once.ts";
import { showStatus } from "./status-line.ts";

export function listenToForms(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form instanceof HTMLFormElement && form.dataset.call !== undefined) {
      event.preventDefault();
      const button = event.submitter instanceof HTMLElement ? event.submitter : form;
      void send(form, button.dataset.call === undefined ? form.dataset : button.dataset);
    }
  });
}

/** `order`: the call, and the message after it. */
async function send(form: HTMLFormElement, order: DOMStringMap): Promise<void> {
  const buttons = [...form.querySelectorAll("button")];
  setDisabled(buttons, true);
  try {
    const { method, path, body } = requestOf(form, order.call ?? "");
    const response = await fetch(path, {
      method,
      headers: { "x-csrf": csrf(), ...(body === null ? {} : { "content-type": "application/json" }) },
      body,
    });
    if (!response.ok) {
      showStatus(await reasonOf(response), true);
      return;
    }
    const answer: unknown = await response.json().catch(() => null);
    if (order.dry === undefined) {
      form.reset();
    }
    await goOn(order, answer);
  } catch (error) {
    showStatus(`Failed: ${textOfError(error)}`, true);
  } finally {
    setDisabled(buttons, false);
  }
}

async function goOn(order: DOMStringMap, answer: unknown): Promise<void> {
  const { then, done = "Done", shows, dry, once } = order;
  const members = new Map<string, unknown>(
    typeof answer === "object" && answer !== null ? Object.entries(answer) : [],
  );
  if (then !== undefined) {
    location.assign(filled(then, (name) => encodeURIComponent(String(members.get(name)))));
    return;
  }
  const shown = shows === undefined ? null : filled(shows, (name) => inWords(members.get(name)));
  showStatus(shown === null || once !== undefined ? done : `${done}: ${shown}`);
  if (dry === undefined) {
    await renew();
  }
  if (shown !== null && once !== undefined) {
    showOnce(once, shown);
  }
}

/** A list of objects as their texts: `backups: all of it; …`. */
function inWords(value: unknown): string {
  return Array.isArray(value)
    ? value
        .map((one) =>
          Object.values(one ?? {})
            .filter(Boolean)
            .join(": "),
        )
        .join("; ")
    : String(value);
}

function filled(template: string, value: (name: string) => string): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name));
}

function requestOf(form: HTMLFormElement, call: string) {
  const [method = "POST", template = ""] = call.split(" ");
  const elements = [...form.elements].filter(isField);
  const fields = new Map(elements.map((field) => [field.name, jsonOf(field)] as const));
  for (const [name, ticks] of Map.groupBy(elements.filter(isTick), (field) => field.name)) {
    fields.set(
      name,
      ticks.flatMap(({ checked, value }) => (checked ? [value] : [])),
    );
  }
  const path = filled(template, (name) => {
    const value = fields.get(name);
    fields.delete(name);
    return encodeURIComponent(String(value ?? ""));
  });
  const values = [...fields].filter(([name, value]) => name !== "" && value !== undefined);
  const hasBody = method !== "DELETE" && method !== "GET" && !path.startsWith("/console/logout");
  return {
    method,
    path: path.startsWith("/console/") ? path : `/console/call${path}`,
    body: hasBody ? (form.dataset.body ?? JSON.stringify(Object.fromEntries(values))) : null,
  };
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isField(element: Element): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

/** One of several with the same name, whose values are a list. */
function isTick(field: Field): field is HTMLInputElement {
  return field.dataset.kind === "ticked";
}

/** Undefined = omitted. */
function jsonOf(field: Field): unknown {
  const text = field.value.trim();
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  switch (field.dataset.kind) {
    case "number":
      return text === "" ? undefined : Number(text);
    case "numberOrNull":
      return text === "" ? null : Number(text);
    case "words":
      return words;
    case "neighbors":
      return words.length === 0 ? undefined : words.map(neighborOf);
    case "counts":
      return words.length === 0 ? undefined : Object.fromEntries(words.map(countOf));
    case "commaWords":
      return text.split(",").flatMap((part) => part.trim() || []);
    case "textOrNull":
      return text === "" ? null : text;
    case "flag":
      return (field instanceof HTMLInputElement && field.checked) || undefined;
    case "yes":
      return field instanceof HTMLInputElement && field.checked;
    case "utc":
      return text === "" ? undefined : new Date(`${text}Z`).toISOString();
    default:
      return text === "" ? undefined : text;
  }
}

/** `64496` and `AS64496` are numbers, anything else is a name. */
function neighborOf(word: string): string | number {
  const digits = word.replace(/^AS(?=\d+$)/i, "");
  return /^\d+$/.test(digits) ? Number(digits) : word;
}

/** Null for a text without a number; the API refuses it with the field's name. */
function countOf(word: string): [name: string, count: number | null] {
  const [name = "", count = ""] = word.split("=");
  return [String(neighborOf(name)), /^\d+$/.test(count) ? Number(count) : null];
}

/** Rejects with the API's reason. */
export async function ask(
  method: "POST" | "PUT",
  path: string,
  body: BodyInit,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const response = await fetch(path, { method, headers: { "x-csrf": csrf(), ...headers }, body });
  if (!response.ok) {
    throw new Error(await reasonOf(response));
  }
  return response;
}

/** Does the work of a form, which resolves to the address of the next page; a failure is shown. */
export async function submit(form: HTMLFormElement, work: () => Promise<string>): Promise<void> {
  const buttons = [...form.querySelectorAll("button")];
  setDisabled(buttons, true);
  try {
    location.assign(await work());
  } catch (error) {
    showStatus(textOfError(error), true);
    setDisabled(buttons, false);
  }
}

export function textOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A field's text, without blanks around it; "" for one that the form does not have. */
export function textOf(fields: FormData, name: string): string {
  return String(fields.get(name) ?? "").trim();
}

export async function reasonOf(response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => null);
  const isProblem = typeof answer === "object" && answer !== null && "detail" in answer;
  return isProblem ? String(answer.detail) : `The gateway answers ${response.status}`;
}

function csrf(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csrf"]')?.content ?? "";
}

function setDisabled(buttons: readonly HTMLButtonElement[], isDisabled: boolean): void {
  for (const button of buttons) {
    button.disabled = isDisabled;
  }
}
