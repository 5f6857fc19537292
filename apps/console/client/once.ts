/** A key, token or link that is shown a single time: in a dialog, until it is closed. */
import { copy } from "./copy.ts";
import { button } from "./elements.ts";

export function showOnce(title: string, secret: string): void {
  const dialog = document.createElement("dialog");
  dialog.id = "once";
  const heading = Object.assign(document.createElement("h2"), { id: "once-title", textContent: title });
  dialog.setAttribute("aria-labelledby", heading.id);
  const field = Object.assign(document.createElement("input"), { value: secret, readOnly: true });
  field.setAttribute("aria-label", title);
  const row = document.createElement("div");
  row.className = "row";
  row.append(
    button("Copy", () => void copy(secret, "Copied")),
    button("Close", () => dialog.close()),
  );
  const note = Object.assign(document.createElement("p"), {
    textContent: "It is shown this once: copy it now. The gateway keeps only a hash of it.",
  });
  dialog.append(heading, note, field, row);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  field.focus();
  field.select();
}
