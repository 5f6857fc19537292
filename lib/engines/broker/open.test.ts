import { expect, test } from "bun:test";
import { openBroker } from "./open.ts";

test.each([
  ["", 'Cannot use broker "": it takes embedded:DIR or kafka:HOST:PORT,…'],
  ["embedded:", "it takes embedded:DIR"],
  ["redis:localhost:1", "it takes embedded:DIR"],
  ["localhost:9092", "it takes embedded:DIR"],
  ["kafka:", '"" is not HOST:PORT'],
  ["kafka:localhost", '"localhost" is not HOST:PORT'],
  ["kafka:a:9092,b:0", '"b:0" is not HOST:PORT'],
  ["kafka:a:9092,b:65536", '"b:65536" is not HOST:PORT'],
  ["kafka:a b:9092", '"a b:9092" is not HOST:PORT'],
])("the address %p is refused", async (address, text) => {
  await expect(openBroker(address)).rejects.toMatchObject({
    code: "badAddress",
    message: expect.stringContaining(text),
  });
});

test.each(["embedded:some/where", "kafka:a:1,b.example:65535", "kafka:192.0.2.1:9092, [2001:db8::1]:9092"])(
  "%p is opened without a look at what is there",
  async (address) => {
    await using broker = await openBroker(address);
    expect(broker).toBeDefined();
  },
);
