/** A file for a form's field, as the browser's own dialog would give it. */
import type { Tab } from "./tab.ts";

interface Chosen {
  readonly name: string;
  readonly text: string;
}

export function chooseFile(tab: Tab, form: string, { name, text }: Chosen): Promise<void> {
  return tab.eval(`{
    const list = new DataTransfer();
    list.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    const field = document.querySelector(${JSON.stringify(`${form} [type=file]`)});
    field.files = list.files;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }`);
}
