import { expect, test } from "bun:test";
import { garbageBytesMax } from "../limits.ts";
import { RecordGarbage } from "./record-garbage.ts";

const valuesCount = 100;

/** Far too little for the collector to start by itself. */
function readValues(): WeakRef<Uint8Array>[] {
  return Array.from({ length: valuesCount }, () => new WeakRef(new Uint8Array(4000)));
}

test("what was read is gone after some more bytes, though there is memory enough", async () => {
  const values = readValues();
  // A WeakRef keeps its value until the event loop's next turn.
  await Bun.sleep(0);
  new RecordGarbage().add(garbageBytesMax);
  const kept = values.filter((value) => value.deref() !== undefined).length;
  // The collector is conservative: any word on the stack that could be an address keeps its object.
  expect(kept).toBeLessThan(valuesCount / 2);
});
