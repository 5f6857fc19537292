/** Server-sent events as text (HTML Standard, section 9.2). */

interface EventGiven {
  readonly name: string;
  /** Without line ends: JSON is. */
  readonly data: string;
  readonly id?: string;
}

export function eventText({ name, data, id }: EventGiven): string {
  return `event: ${name}\n${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`;
}

/** Nothing, so that everything between here and there sees that the stream lives. */
export const signOfLife = ":\n\n";

export function reconnectText(waitMs: number): string {
  return `retry: ${waitMs}\n\n`;
}
