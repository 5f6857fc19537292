/** Fetches the page again, and replaces the changed parts. */

type Renewed = (place: ParentNode) => void;
const listeners: Renewed[] = [];
/** Markup, as it was received, of each part that is fetched again: this script changes what it shows. */
const received = new Map<string, string>();
keepReceived(document);

/** Calls `listener` for the whole page now, and later for each new part. */
export function onRenewed(listener: Renewed): void {
  listeners.push(listener);
  listener(document);
}

/** Statuses (not found, not permitted) whose page replaces the whole content. */
const ended = [401, 403, 404];

/** Rejects without a response, or on a failure. `ids`: only these parts; absent: all content. */
export async function renew(ids?: readonly string[]): Promise<void> {
  const parts = ids === undefined ? {} : { "x-parts": ids.join(" ") };
  const response = await fetch(location.href, { headers: { accept: "text/html", ...parts } });
  const isOver = ended.includes(response.status);
  if (!(response.ok || isOver)) {
    throw new Error(`The gateway answers ${response.status}`);
  }
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  const places = ids === undefined || isOver ? ["main"] : ids.filter((id) => id !== "");
  for (const id of places) {
    replace(document.getElementById(id), fresh.getElementById(id));
  }
  document.title = fresh.title;
}

function replace(old: HTMLElement | null, next: HTMLElement | null): void {
  if (old === null || next === null || received.get(old.id) === next.outerHTML) {
    return;
  }
  received.set(old.id, next.outerHTML);
  keepReceived(next);
  const focused = placeOfFocus(old);
  const adopted = document.adoptNode(next);
  keepTyped(old, adopted);
  old.replaceWith(adopted);
  for (const listener of listeners) {
    listener(adopted);
  }
  if (focused !== null) {
    adopted.querySelectorAll<HTMLElement>(focusable)[focused]?.focus();
  }
}

function keepReceived(place: ParentNode): void {
  for (const part of place.querySelectorAll("[id][data-every-s], [id][data-live]")) {
    received.set(part.id, part.outerHTML);
  }
}

/** Keeps unsent input and opened parts. */
function keepTyped(old: HTMLElement, next: HTMLElement): void {
  for (const form of old.querySelectorAll<HTMLFormElement>("form[data-call]")) {
    const same = next.querySelector(`form[data-call="${CSS.escape(form.dataset.call ?? "")}"]`);
    for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")) {
      const twin = same?.querySelector(`[name="${CSS.escape(field.name)}"]`);
      if (twin instanceof HTMLInputElement && field instanceof HTMLInputElement) {
        twin.value = field.value === field.defaultValue ? twin.value : field.value;
        twin.checked = field.checked === field.defaultChecked ? twin.checked : field.checked;
      } else if (twin instanceof HTMLSelectElement && field instanceof HTMLSelectElement) {
        const isChanged = [...field.options].some((one) => one.defaultSelected && !one.selected);
        twin.value = isChanged ? field.value : twin.value;
      }
    }
  }
  for (const { id } of old.querySelectorAll<HTMLDetailsElement>("details[id][open]")) {
    next.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  }
}

const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";

/** Index of the focused element among those that can have focus; null = elsewhere. */
function placeOfFocus(within: HTMLElement): number | null {
  const place = [...within.querySelectorAll(focusable)].indexOf(document.activeElement as Element);
  return place < 0 ? null : place;
}
