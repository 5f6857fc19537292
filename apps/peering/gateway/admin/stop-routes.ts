/** `/admin/announcement-stop`: the announcements of all users, stopped at every exchange server in an emergency. */
import { Hono } from "hono";
import * as v from "valibot";
import { announcementStopAnswer } from "../../../../lib/base/api/peering-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput } from "../../../../lib/engines/http/input.ts";
import { operatorOf } from "../../../../lib/engines/http/require-operator.ts";
import { bodyBytesMax } from "../limits.ts";
import type { UserAdminServices } from "./admin-services.ts";
import { common, note } from "./fields.ts";

type Stop = StoredAnswer<typeof announcementStopAnswer>;

const one = { ...common, ok: announcementStopAnswer, problems: [403] } as const;
const descriptions = {
  show: describe({ ...one, summary: "Whether the announcements of all users are stopped" }),
  stop: describe({
    ...one,
    summary: "Stop the announcements of all users",
    description:
      "All prefixes leave the mappings at once, and exchange servers refuse them. Leases and requests stay; new " +
      "announcements are refused with the reason.",
    problems: [400, 403, 415, 422],
  }),
  resume: describe({ ...one, summary: "Accept announcements again" }),
};
const reasonInput = jsonInput(v.strictObject({ reason: note }), { bytesMax: bodyBytesMax });

export function stopRoutes({ database, feed }: UserAdminServices): Hono<HttpEnv> {
  const { sql, timed } = database;
  const app = new Hono<HttpEnv>();
  const switched = async (by: string, reason: string | null) => {
    const [state] = await timed(
      "announcement_stop",
      () => sql<Stop[]>`SELECT stopped_at, stopped_reason FROM switch_announcements(${by}, ${reason})`,
    );
    feed.look();
    return state;
  };
  app.get("/admin/announcement-stop", descriptions.show, async (c) => {
    const [state] = await timed(
      "announcement_stop",
      () => sql<Stop[]>`SELECT stopped_at, stopped_reason FROM announcement_stop`,
    );
    return c.json(state);
  });
  app.put("/admin/announcement-stop", descriptions.stop, reasonInput, async (c) =>
    c.json(await switched(operatorOf(c), c.req.valid("json").reason)),
  );
  app.delete("/admin/announcement-stop", descriptions.resume, async (c) =>
    c.json(await switched(operatorOf(c), null)),
  );
  return app;
}
