/** @jsxImportSource hono/jsx */
/**
 * The form of a new discovery. The script of the page says what it would send, and begins it (client/plan.ts).
 */
import { strategies } from "../../../../lib/measuring/discovery/strategies.ts";
import type { Visit } from "../../page.ts";
import { Choice, Field, FileField } from "../../parts/field.tsx";

const protocols = { udp: "UDP", icmp: "ICMP" } as const;

export function DiscoveryForm({ visit, isOpen }: { readonly visit: Visit; readonly isOpen: boolean }) {
  const { query } = visit;
  const names = Object.fromEntries(Object.keys(strategies).map((name) => [name, name]));
  return (
    <details id="new-discovery" class="card" open={isOpen}>
      <summary>New discovery</summary>
      <form data-plan="discoveries">
        <div class="row">
          <label class="field grow">
            <span>Prefixes and addresses</span>
            <textarea name="to" rows={3} placeholder="192.0.2.0/24 2001:db8::/48">
              {query.get("to") ?? ""}
            </textarea>
          </label>
          <FileField
            label="or a file of them, one per line (64 MiB)"
            name="list"
            accept="text/plain,.txt,.csv,.list"
          />
        </div>
        <div class="row">
          <Field label="From" name="from" value={query.get("from")} isRequired hint="west, tag:eu, 3@any" />
          <Choice label="With" name="protocol" value="udp" options={protocols} />
          <Choice label="Strategy" name="strategy" value="shared" options={names} />
          <Field label="Probes at most (empty: your quota)" name="probes_max" type="number" />
          <Field label="Prefixes per agent (empty: all)" name="budget" type="number" />
          <Field label="Name" name="name" hint="optional" />
        </div>
        <p class="soft" data-cost-text="" aria-live="polite">
          Give prefixes and agents: what the first round and the whole would send appears here.
        </p>
        <div class="row">
          <button type="submit" class="main">
            Discover
          </button>
          <span class="soft">
            Rounds of probes, until no prefix needs more; pause or end it at any time. By the command line:{" "}
            <code>vantage discover</code>
          </span>
        </div>
      </form>
    </details>
  );
}
