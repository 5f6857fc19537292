/** @jsxImportSource hono/jsx */
/** A list that is empty as its reader has not begun: an example as a picture, and the way to a first entry. */

import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { type Picture, pictureElement } from "../../../lib/measuring/pictures/look.ts";

interface EmptyProps {
  readonly children: Child;
  readonly button: { readonly href: string; readonly word: string };
  /** The same by the command line. */
  readonly command: string;
  readonly example: Picture;
}

export function Empty({ children, button, command, example }: EmptyProps) {
  return (
    <div class="card">
      <p>{children}</p>
      <p>
        <a class="button" href={button.href}>
          {button.word}
        </a>{" "}
        <span class="soft">
          or <code>{command}</code>
        </span>
      </p>
      <figure>
        <figcaption class="soft">For example:</figcaption>
        <div class="example">{raw(pictureElement(example).text)}</div>
      </figure>
    </div>
  );
}
