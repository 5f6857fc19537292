/** @jsxImportSource hono/jsx */
/**
 * A picture with its sentence. The only place where markup is inserted unescaped: it is `Markup`, which only
 * lib/measuring/pictures/markup.ts creates, and that escapes all values and texts.
 */
import { raw } from "hono/html";
import { type Picture, pictureElement } from "../../../lib/measuring/pictures/look.ts";

interface PictureFrameProps {
  readonly picture: Picture;
  /** Its nodes are navigable by keys (client/graph.ts), with their figures shown below. */
  readonly isGraph?: boolean;
  /** Its name, where a page has several. */
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
