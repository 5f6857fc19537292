/**
 * Keyboard shortcuts: `g` and a letter opens a page, `/` focuses the first field, `?` shows the keys.
 *
 * Single letters can be switched off (WCAG 2.2, 2.1.4), for users of speech input; the browser stores the choice.
 */
const switchedOff = "vantage-single-keys-off";

/** Time for the letter after `g`. */
const sequenceMs = 2000;

let goesSinceMs = Number.NEGATIVE_INFINITY;

export function listenToKeys(): void {
  const dialog = document.querySelector<HTMLDialogElement>("#keys");
  document.querySelector("[data-keys-button]")?.addEventListener("click", () => dialog?.showModal());
  const keySwitch = document.querySelector<HTMLInputElement>("[data-keys-switch]");
  if (keySwitch !== null) {
    keySwitch.checked = localStorage.getItem(switchedOff) === null;
    keySwitch.addEventListener("change", () => {
      if (keySwitch.checked) {
        localStorage.removeItem(switchedOff);
      } else {
        localStorage.setItem(switchedOff, "yes");
      }
    });
  }
  document.addEventListener("keydown", (event) => act(event, dialog));
}

function act(event: KeyboardEvent, dialog: HTMLDialogElement | null): void {
  const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea");
  if (event.key === "Escape" && isTyping) {
    (event.target as HTMLElement).blur();
    return;
  }
  const isMeant = !(isTyping || event.ctrlKey || event.metaKey || event.altKey || dialog?.open === true);
  if (!isMeant || localStorage.getItem(switchedOff) !== null) {
    return;
  }
  if (goesTo(event)) {
    return;
  }
  if (event.key === "?") {
    dialog?.showModal();
  } else if (event.key === "/") {
    event.preventDefault();
    document.querySelector<HTMLElement>("main input:not([type=hidden]), main select")?.focus();
  }
}

function goesTo(event: KeyboardEvent): boolean {
  const isSecond = event.timeStamp - goesSinceMs < sequenceMs;
  goesSinceMs = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
  const link = isSecond
    ? document.querySelector<HTMLAnchorElement>(`nav a[data-key="${CSS.escape(event.key)}"]`)
    : null;
  link?.click();
  return link !== null;
}
