/** Elements that the script itself makes. */

export function button(word: string, act: () => void, label = word): HTMLButtonElement {
  const one = Object.assign(document.createElement("button"), { type: "button", textContent: word });
  one.setAttribute("aria-label", label);
  one.addEventListener("click", act);
  return one;
}

/** A row of buttons and fields above what they act on. */
export function toolbar(): HTMLDivElement {
  return Object.assign(document.createElement("div"), { className: "row tools" });
}

/** A field with its name above it, and what stands behind it. */
export function labelled(word: string, ...parts: readonly HTMLElement[]): HTMLLabelElement {
  const label = Object.assign(document.createElement("label"), { className: "field" });
  label.append(Object.assign(document.createElement("span"), { textContent: word }), ...parts);
  return label;
}

export function searchInput(value = "", placeholder = ""): HTMLInputElement {
  return Object.assign(document.createElement("input"), { type: "search", value, placeholder });
}
