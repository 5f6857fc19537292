import { expect, test } from "bun:test";
import { Vantage } from "./vantage.ts";

/** A client whose gateway answers everything with `[]`, and what it asks for. */
function asking() {
  const asked: string[] = [];
  const request = async (path: string, { method = "GET", query = {} } = {}) => {
    asked.push(`${method} ${path} ${JSON.stringify(query)}`);
    return new Response("[]");
  };
  return { asked, vantage: new Vantage({ address: "http://gateway.test", request }) };
}

test("results are a measurement's, or a campaign's where that is said", async () => {
  const { asked, vantage } = asking();
  await Array.fromAsync(vantage.results("a/b", "loss", { limit: 1 }));
  await Array.fromAsync(vantage.results("c", "series", { of: "campaign", limit: 2 }));
  expect(asked).toEqual([
    'GET /api/measurements/a%2Fb/loss {"limit":1,"format":"ndjson"}',
    'GET /api/campaigns/c/series {"limit":2,"format":"ndjson"}',
  ]);
});

test("a submission's probes have their shape", async () => {
  const { asked, vantage } = asking();
  const shape = { size: 1400, df: true, dscp: "EF", flowLabel: 5 };
  await vantage.measure({ agents: ["west", "east"], probes: "192.0.2.1,24000,33434,7,udp", shape });
  expect(asked).toEqual([
    'POST /api/probes {"size":1400,"df":true,"dscp":"EF","flow_label":5,"agents":"west,east"}',
  ]);
});

test("a path's names are filled in, and cannot lead elsewhere", async () => {
  const { asked, vantage } = asking();
  await vantage.call("get", "/api/campaigns/{id}", { path: { id: "../x?y" } });
  await vantage.call("get", "/api/campaigns", { query: { limit: 5 } });
  expect(asked).toEqual(["GET /api/campaigns/..%2Fx%3Fy {}", 'GET /api/campaigns {"limit":5}']);
});
