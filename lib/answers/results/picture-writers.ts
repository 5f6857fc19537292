/** The picture of a view as a file: `svg` among its formats. */
import type { ProgramWriters } from "../../measuring/formats/forms.ts";
import { type Picture, pictureFile } from "../../measuring/pictures/look.ts";

/**
 * Rows have the schema of the view. They are held in memory: the view's default limit bounds them, and `kept` picks the
 * part of each row that the picture needs.
 */
export function pictureWriters<Row>(
  picture: (rows: readonly Row[]) => Picture,
  kept: (row: Row) => Row = (row) => row,
) {
  return {
    svg: () => {
      const rows: Row[] = [];
      return {
        row: (row: object) => {
          rows.push(kept(row as Row));
          return new Uint8Array();
        },
        end: () => Buffer.from(pictureFile(picture(rows))),
      };
    },
  } satisfies ProgramWriters;
}
