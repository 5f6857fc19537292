/** The picture of a view as a file: `svg` among its formats. */
import { atOnce, type Steps } from "../../base/list/steps.ts";
import type { ProgramWriters } from "../../measuring/formats/forms.ts";
import { type Picture, pictureFile } from "../../measuring/pictures/look.ts";

/**
 * Rows have the schema of the view. They are held in memory: the view's default limit bounds them, and `kept` picks the
 * part of each row that the picture needs.
 */
export function pictureWriters<Row>(
  picture: (rows: readonly Row[]) => Steps<Picture>,
  kept: (row: Row) => Row = (row) => row,
) {
  return {
    svg: () => {
      const rows: Row[] = [];
      function* ending(): Steps<Uint8Array> {
        return Buffer.from(pictureFile(yield* picture(rows)));
      }
      return {
        row: (row: object) => {
          rows.push(kept(row as Row));
          return new Uint8Array();
        },
        end: () => atOnce(ending()),
        ending,
      };
    },
  } satisfies ProgramWriters;
}
