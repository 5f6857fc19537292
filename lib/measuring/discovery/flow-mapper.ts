/**
 * Flows of a prefix as addresses and ports: flow f is (address offset, port offset), a different pair for each flow.
 *
 * The prefix's addresses are used first, because routers that balance by address alone split only those; from flow
 * `size` on the last address is kept and the port varies. Ports end at offset 4,095 (Diamond-Miner's own limit).
 */

interface FlowOffset {
  /** Within the prefix: 0 up to size - 1. */
  readonly address: number;
  /** Added to the first source port. */
  readonly port: number;
}

interface FlowMapper {
  /** Addresses of the prefix that flows use: 256 of an IPv4 /24. */
  readonly size: number;
  offsetOf(flow: number): FlowOffset;
  flowOf(offset: FlowOffset): number;
}

/** By an order of addresses that is a permutation of 0 … size - 1. */
function mapperBy(
  size: number,
  address: (flow: number) => number,
  flow: (address: number) => number,
): FlowMapper {
  return {
    size,
    offsetOf: (f) =>
      f < size ? { address: address(f), port: 0 } : { address: size - 1, port: f - size + 1 },
    flowOf: ({ address: a, port }) => (port === 0 ? flow(a) : size - 1 + port),
  };
}

/** Addresses in order: .0, .1, .2 … */
export function sequentialMapper(size: number): FlowMapper {
  return mapperBy(
    size,
    (flow) => flow,
    (address) => address,
  );
}

/** For prefixes of 256 addresses: .1, .33, .65 … first, as low addresses of subnets answer most often; .0 last. */
export function intervalMapper(step = 32): FlowMapper {
  const order = Array.from({ length: 256 }, (_, flow) => (flow === 255 ? 0 : ((flow * step) % 255) + 1));
  return byOrder(order);
}

/** For prefixes of 256 addresses: the flow's bits reversed, so that any first few are far apart; .0 last. */
export function reverseByteMapper(): FlowMapper {
  const order = Array.from({ length: 256 }, (_, flow) => (flow === 255 ? 0 : reversed(flow) + 1));
  return byOrder(order);
}

function byOrder(order: readonly number[]): FlowMapper {
  const flows = new Uint16Array(order.length);
  for (const [flow, address] of order.entries()) {
    flows[address] = flow;
  }
  return mapperBy(
    order.length,
    (flow) => order[flow] ?? 0,
    (address) => flows[address] ?? 0,
  );
}

function reversed(byte: number): number {
  return Array.from({ length: 8 }, (_, bit) => ((byte >>> bit) & 1) << (7 - bit)).reduce(
    (sum, bit) => sum | bit,
    0,
  );
}
