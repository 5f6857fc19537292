/** What a forecast says of a whole run is what the simulator counts, with the usual options of a discovery. */
import { expect, test } from "bun:test";
import { parse } from "valibot";
import { discoverSchema } from "../../apps/probing/campaigns/discovery/discover-fields.ts";
import { probesPerSubnet } from "../../apps/probing/campaigns/discovery/forecast.ts";
import { specOfDefinition } from "../../apps/probing/campaigns/discovery/spec-of-definition.ts";
import { optionsOf } from "../../apps/probing/campaigns/discovery/strategy-of-spec.ts";
import { strategies } from "../../lib/measuring/discovery/strategies.ts";
import { discover } from "./simulator/discover.ts";
import { networks } from "./simulator/networks.ts";

type Name = keyof typeof probesPerSubnet;
const seeds = [1, 2, 3, 4, 5];

function probesOfSubnet(strategy: Name): number {
  const options = optionsOf(specOfDefinition({}, parse(discoverSchema, { strategy })));
  const each = seeds.map((seed) => {
    const net = networks["three levels"]?.make(seed) ?? expect.unreachable();
    discover(net, strategies[strategy], options);
    return net.probes / (net.topology.units * net.topology.subnetsEach);
  });
  return each.reduce((sum, probes) => sum + probes, 0) / each.length;
}

test.each(Object.keys(probesPerSubnet) as Name[])(
  "%s: the probes expected of a subnet are within a tenth of those counted",
  (strategy) => {
    const counted = probesOfSubnet(strategy);
    expect(probesPerSubnet[strategy]).toBeWithin(0.9 * counted, 1.1 * counted);
  },
);
