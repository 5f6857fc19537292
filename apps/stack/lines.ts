/** Calls `each` with every line of a stream, the last one also without its end, until the stream is over. */
export async function linesOf(
  stream: ReadableStream<Uint8Array>,
  each: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(each);
  }
  if (rest !== "") {
    each(rest);
  }
}
