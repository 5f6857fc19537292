/** @jsxImportSource hono/jsx */
/**
 * A picture with its sentence. The one place where markup goes into a page as it is: it is `Markup`, which nothing but
 * lib/measuring/pictures/markup.ts makes, and that escapes all values and texts.
 */
import { raw } from "hono/html";
import { type Picture, pictureElement } from "../../../lib/measuring/pictures/look.ts";

interface PictureFrameProps {
  readonly picture: Picture;
  /** Its nodes can be gone through by keys (client/graph.ts), and say their figures below. */
  readonly isGraph?: boolean;
  /** What it is, where a page has several. */
  readonly name?: string;
}

export function PictureFrame({ picture, isGraph = false, name = "Picture" }: PictureFrameProps) {
  const svg = raw(pictureElement(picture).text);
  return (
    <figure class="picture-frame">
      <figcaption>{picture.sentence}</figcaption>
      {isGraph ? (
        <>
          <div class="scroll" data-graph>
            {svg}
          </div>
          <p class="soft" id="graph-said" role="status">
            Arrow keys move between routers, Enter shows details or expands a group, Esc leaves the graph.
          </p>
        </>
      ) : (
        <section class="scroll" aria-label={name} tabindex={0}>
          {svg}
        </section>
      )}
    </figure>
  );
}
