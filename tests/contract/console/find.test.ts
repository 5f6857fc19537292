/** What an operator finds by an id: a measurement, and a request that was refused. */
import { expect, test } from "bun:test";
import { until } from "../../exchange/until.ts";
import { Browser } from "../../issuer/browser.ts";
import { addAgent } from "../probing-gateway/gateway-home.ts";
import { ConsoleHome, logIn, operator } from "./console-home.ts";

const line = "2001:db8::7,24000,33434,9,udp\n";

test("by its id, and by the request that submitted it or was refused", async () => {
  await using home = await ConsoleHome.start();
  await addAgent(home.gateway, "west");
  const west = home.serve();
  const browser = new Browser();
  await logIn(browser, west.url, operator);
  const found = async (id: string) => {
    const path = `/console/operators?view=find&trace=${id}`;
    return (await browser.open(new URL(path, west.url).href)).text;
  };
  const submit = (query: string, id: string) =>
    home.gateway.submit("mallory", line, { type: "text/csv", query, headers: { "x-request-id": id } });
  const accepted = await submit("?agents=west", "client-taken");
  expect(accepted.status).toBeLessThan(300);
  const { id } = (await accepted.json()) as { id: string };
  expect((await submit("", "client-refused")).status).toBe(422);
  for (const one of [id, "client-taken"]) {
    expect(await found(one)).toContain(`Measurement ${id}`);
  }
  const page = await until("the refusal is kept", async () => {
    const text = await found("client-refused");
    return text.includes("missing_agents") && text;
  });
  expect(page).toContain("Probe lines contain no agents");
});
