/**
 * Forms that change something: `<form data-call="PUT /api/…/{agent}">` sends its fields as JSON, with the header
 * without which the gateway changes nothing.
 *
 * `{name}` in the path is the field of that name, which then is not in the body. `data-kind` of a field says what it
 * is in JSON: `number`, `numberOrNull`, `words` (a list of them); left out: a text, which is left out when empty.
 * `data-body` is sent as it is, instead of fields.
 *
 * `data-done` is said when it is done, with `data-shows` behind it. `data-then` is where the browser goes; without it
 * the content is asked for again. In both, `{id}` is that member of the answer.
 */
import { renew } from "./fresh-page.ts";
import { say } from "./say.ts";

export function listenToForms(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form instanceof HTMLFormElement && form.dataset.call !== undefined) {
      event.preventDefault();
      void send(form, form.dataset.call);
    }
  });
}

async function send(form: HTMLFormElement, call: string): Promise<void> {
  const buttons = [...form.querySelectorAll("button")];
  setDisabled(buttons, true);
  try {
    const { method, path, body } = requestOf(form, call);
    const response = await fetch(path, {
      method,
      headers: { "x-csrf": csrf(), ...(body === null ? {} : { "content-type": "application/json" }) },
      body,
    });
    if (!response.ok) {
      say(await reasonOf(response), true);
      return;
    }
    await goOn(form, await response.json().catch(() => null));
  } catch (error) {
    say(`Cannot do it: ${error instanceof Error ? error.message : String(error)}`, true);
  } finally {
    setDisabled(buttons, false);
  }
}

async function goOn({ dataset }: HTMLFormElement, answer: unknown): Promise<void> {
  const { then, done = "Done", shows } = dataset;
  const members = new Map<string, unknown>(
    typeof answer === "object" && answer !== null ? Object.entries(answer) : [],
  );
  if (then !== undefined) {
    location.assign(filled(then, (name) => encodeURIComponent(String(members.get(name)))));
    return;
  }
  say(shows === undefined ? done : `${done}: ${filled(shows, (name) => String(members.get(name)))}`);
  await renew();
}

function filled(template: string, value: (name: string) => string): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name));
}

function requestOf(form: HTMLFormElement, call: string) {
  const [method = "POST", template = ""] = call.split(" ");
  const fields = new Map(
    [...form.elements].filter(isField).map((field) => [field.name, jsonOf(field)] as const),
  );
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

/** Undefined = left out. */
function jsonOf(field: Field): unknown {
  const text = field.value.trim();
  switch (field.dataset.kind) {
    case "number":
      return text === "" ? undefined : Number(text);
    case "numberOrNull":
      return text === "" ? null : Number(text);
    case "words":
      return text === "" ? [] : text.split(/[\s,]+/);
    default:
      return text === "" ? undefined : text;
  }
}

async function reasonOf(response: Response): Promise<string> {
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
