/** @jsxImportSource hono/jsx */
/** Operators' pages: agents, keys, users, destinations, the kill switch, and the audit log. */
import type { ConsolePage, Visit } from "../page.ts";
import { Tabs } from "../parts/links.tsx";
import { Agents } from "./operators/agents.tsx";
import { Audit } from "./operators/audit.tsx";
import { Campaigns } from "./operators/campaigns.tsx";
import { EnrolmentKeys } from "./operators/enrolment-keys.tsx";
import { Exchanges } from "./operators/exchanges.tsx";
import { Find } from "./operators/find.tsx";
import { Ingest } from "./operators/ingest.tsx";
import { Leases } from "./operators/leases.tsx";
import { Safety } from "./operators/safety.tsx";
import { Users } from "./operators/users.tsx";

const views = {
  agents: "Agents",
  keys: "Enrolment keys",
  users: "Users",
  leases: "Leases",
  campaigns: "Campaigns",
  exchanges: "Exchanges",
  ingest: "Ingest",
  safety: "Kill switch, blocklist",
  find: "Find",
  audit: "Audit",
} as const;
type ViewName = keyof typeof views;

const parts: Readonly<Record<ViewName, (props: { readonly visit: Visit }) => Promise<unknown>>> = {
  agents: Agents,
  keys: EnrolmentKeys,
  users: Users,
  leases: Leases,
  campaigns: Campaigns,
  exchanges: Exchanges,
  ingest: Ingest,
  safety: Safety,
  find: Find,
  audit: Audit,
};

export const operatorsPage: ConsolePage = {
  path: "/console/operators",
  navigation: { word: "Operators", key: "o", isFor: "operators" },
  show: async (visit) => {
    const asked = visit.query.get("view") ?? "agents";
    const current: ViewName = Object.hasOwn(views, asked) ? (asked as ViewName) : "agents";
    const Part = parts[current];
    return {
      title: "Operators",
      body: (
        <>
          <Tabs
            label="Parts"
            views={views}
            current={current}
            address={(view) => `${visit.url.pathname}?view=${view}`}
          />
          {await Part({ visit })}
        </>
      ),
    };
  },
};
