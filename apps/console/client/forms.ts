/**
 * Forms that change something: `<form data-call="PUT /api/…/{agent}">` sends its fields as JSON, with the header
 * without which the gateway changes nothing.
 *
 * `{name}` in the path is the field of that name, which then is not in the body. `data-kind` of a field says what it
 * is in JSON: `number`, `lines` (a list of texts), `flag`; left out: a text. An empty one is left out. `data-done` is
 * said when it is done, and `data-then` is where the browser goes; without it the content is asked for again.
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
    const { then, done = "Done" } = form.dataset;
    if (then !== undefined) {
      location.assign(then);
      return;
    }
    say(done);
    await renew();
  } catch (error) {
    say(`Cannot do it: ${error instanceof Error ? error.message : String(error)}`, true);
  } finally {
    setDisabled(buttons, false);
  }
}

function requestOf(form: HTMLFormElement, call: string) {
  const [method = "POST", template = ""] = call.split(" ");
  const fields = new Map(
    [...form.elements].filter(isField).map((field) => [field.name, jsonOf(field)] as const),
  );
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    return encodeURIComponent(String(value ?? ""));
  });
  const values = [...fields].filter(([name, value]) => name !== "" && value !== undefined);
  const hasBody = method !== "DELETE" && method !== "GET" && !path.startsWith("/console/logout");
  return {
    method,
    path: path.startsWith("/console/") ? path : `/console/call${path}`,
    body: hasBody ? JSON.stringify(Object.fromEntries(values)) : null,
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
    case "flag":
      return field instanceof HTMLInputElement ? field.checked : text === "true";
    case "number":
      return text === "" ? undefined : Number(text);
    case "lines":
      return text === "" ? undefined : text.split(/[\s,]+/);
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
