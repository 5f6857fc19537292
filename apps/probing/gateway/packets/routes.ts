/** A measurement's packets: agents upload them, and only its user can fetch them. */
import { Hono } from "hono";
import * as v from "valibot";
import { digits } from "../../../../lib/base/api/fields.ts";
import { packetFileAnswer } from "../../../../lib/base/api/measurements.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { bodyBytes } from "../../../../lib/engines/http/body.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { queryInput } from "../../../../lib/engines/http/input.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { requireUser } from "../../../../lib/engines/http/require-user.ts";
import { agentOf, requireAgent } from "../agents/require-agent.ts";
import { packetFileBytesMax } from "../limits.ts";
import { findMeasurement, measurementIdOf, ownMeasurement } from "../measurements/find-measurement.ts";
import type { Services } from "../services.ts";
import { listPackets, readPackets, storePackets } from "./packet-files.ts";

const mediaType = "application/vnd.tcpdump.pcap";
/** A savefile with nanosecond timestamps, as our agents write it. */
const magicNanoseconds = 0xa1b2_3c4d;
const fileHeaderBytes = 24;

const count = digits(15);
/** Linux interface names: at most 15 bytes, without slashes and blanks; and no control characters. */
const interfaceName = v.pipe(v.string(), v.regex(/^[!-.0-~]{1,15}$/, "must be the name of an interface"));
const uploadQuery = v.object({ interface: interfaceName, sent: count, heard: count, left_out: count });

const upload = describe({
  summary: "Upload a measurement's packets",
  description: "One interface's packets, once; only for measurements whose user requested them.",
  tags: ["agent"],
  auth: "agent",
  // Generators of API clients map this type to bytes.
  body: [{ type: "application/octet-stream" }],
  ok: v.object({ stored: v.boolean() }),
  problems: [400, 403, 404, 408, 409, 413, 422, 429, 503],
});
const list = describe({
  summary: "The packets of a measurement, by agent and interface",
  description:
    "What its agents sent and received for it, as pcap files, for a week: for measurements submitted with " +
    "record_packets. An agent uploads them some seconds after its last probe.",
  tags: ["measurements"],
  auth: "user",
  ok: v.array(packetFileAnswer),
  problems: [400, 404],
});
const fetch = describe({
  summary: "One file of packets",
  tags: ["measurements"],
  auth: "user",
  ok: [{ status: 200, description: "A pcap file, with stamps in nanoseconds", type: mediaType }],
  problems: [400, 404],
});

export function packetRoutes(services: Services): Hono<HttpEnv> {
  const { config, database, tokens, metrics } = services;
  const user = requireUser(tokens, metrics.http);
  const app = new Hono<HttpEnv>();
  app.post(
    "/agent-api/agent/:id/measurements/:measurement/packets",
    upload,
    requireAgent(services),
    queryInput(uploadQuery),
    async (c) => {
      const { interface: name, sent, heard, left_out: leftOut } = c.req.valid("query");
      const measurementId = measurementIdOf(c.req.param("measurement"));
      // Kept until it is stored.
      using share = c.get("bodyRoom").open(c.req.header("authorization") ?? "");
      const content = await packetsIn(c.req.raw, (bytes) => share.add(bytes));
      const counts = { interfaceName: name, sent, heard, leftOut };
      await storePackets(database, config.limits.storedBytesPerUser, {
        measurementId,
        agentId: agentOf(c),
        ...counts,
        content,
      });
      return c.json({ stored: true });
    },
  );
  app.get("/api/measurements/:id/packets", list, user, async (c) => {
    const own = await ownMeasurement(c, c.req.param("id"));
    await findMeasurement(database, own);
    return c.json(await listPackets(database, own));
  });
  app.get("/api/measurements/:id/packets/:agent/:interface", fetch, user, async (c) => {
    const { id, agent, interface: name } = c.req.param();
    const wanted = { own: await ownMeasurement(c, id), agentId: agent, interfaceName: name };
    const content = await readPackets(database, wanted);
    return c.body(Buffer.from(content), 200, { "content-type": mediaType, "cache-control": "no-store" });
  });
  return app;
}

/** Throws Problem: those of a body, and 422 for another kind of file. */
async function packetsIn(request: Request, onBytes: (bytes: number) => void): Promise<Uint8Array> {
  const content = await bodyBytes(request, { bytesMax: packetFileBytesMax, onBytes });
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (content.length < fileHeaderBytes || view.getUint32(0, true) !== magicNanoseconds) {
    throw problem(422, "not_packets", "The body is not a pcap file with stamps in nanoseconds");
  }
  return content;
}
