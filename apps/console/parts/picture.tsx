/** @jsxImportSource hono/jsx */
/**
 * A picture with its sentence. The only place where markup is inserted unescaped: it is `Markup`, which only
 * lib/measuring/pictures/markup.ts creates, and that escapes all values and texts.
 */
import { raw } from "hono/html";
import { type Picture, pictureElement } from "../../../lib/measuring/pictures/look.ts";
import type { Flow } from "../../../lib/measuring/pictures/path/boxes.ts";

interface PictureFrameProps {
  readonly picture: Picture;
  /** Its name, where a page has several. */
  readonly name?: string;
}

export function PictureFrame({ picture, name = "Picture" }: PictureFrameProps) {
  return (
    <figure class="picture-frame">
      <figcaption>{picture.sentence}</figcaption>
      <section class="scroll" aria-label={name} tabindex={0}>
        {raw(pictureElement(picture).text)}
      </section>
    </figure>
  );
}

/** A graph from left to right, and from top to bottom on narrow screens: pages must work without a script. */
export function GraphFrame({ draw }: { readonly draw: (flow: Flow) => Picture }) {
  return (
    <>
      <GraphOf flow="right" picture={draw("right")} />
      <GraphOf flow="down" picture={draw("down")} />
    </>
  );
}

/** Its nodes are navigable by keys (client/graph.ts), with their figures shown below. */
function GraphOf({ flow, picture }: { readonly flow: Flow; readonly picture: Picture }) {
  return (
    <figure class={`picture-frame flow-${flow}`}>
      <figcaption>{picture.sentence}</figcaption>
      <div class="scroll" data-graph={flow}>
        {raw(pictureElement(picture).text)}
      </div>
      <p class="soft" id={`graph-${flow}`} role="status">
        Arrow keys move between routers, Enter shows details or expands a group, Esc leaves the graph.
      </p>
    </figure>
  );
}
