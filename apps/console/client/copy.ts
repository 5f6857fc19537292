/** Buttons that copy their `data-copies`; hidden without this script, and where a page has no clipboard. */
import { onRenewed } from "./fresh-page.ts";
import { showStatus } from "./status-line.ts";

export function listenToCopies(): void {
  // Pages by http:// from another host have none.
  if (!isSecureContext) {
    return;
  }
  onRenewed((place) => {
    for (const button of place.querySelectorAll<HTMLElement>("[data-copies]")) {
      const text = button.dataset.copies ?? "";
      button.hidden = false;
      button.addEventListener("click", () => void copy(text, `Copied ${text}`));
    }
  });
}

export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showStatus(done);
  } catch (error) {
    showStatus(`Cannot copy: ${String(error)}`, true);
  }
}
