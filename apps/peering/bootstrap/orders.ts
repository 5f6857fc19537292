/**
 * The user's orders for each prefix at each exchange: announce it (with prepends), or not. Pure.
 *
 * An order for one exchange takes precedence over one for all; without any, a prefix is announced without prepends.
 */
import * as v from "valibot";
import {
  plainAttributes,
  prependMax,
  type RouteAttributes,
  routeAttributes,
} from "../../../lib/base/api/announcements.ts";
import { time } from "../../../lib/base/api/fields.ts";

const orderSchema = v.object({
  prefix: v.string(),
  /** Name of an exchange; null = all. */
  exchange: v.nullable(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,100}$/, "must be the name of an exchange"))),
  announce: v.boolean(),
  /** Copies of the own AS before the path. */
  prepend: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(prependMax)),
  attributes: v.optional(
    v.pipe(
      routeAttributes,
      v.check(({ poison, blackhole }) => poison.length + blackhole.length === 0, "needs a right"),
    ),
  ),
  /** Withdrawn from then on; null = never. */
  until: v.optional(v.nullable(time)),
});

export const ordersSchema = v.array(orderSchema);

export interface Order extends Omit<v.InferOutput<typeof orderSchema>, "attributes"> {
  /** Poisoned ASNs and discarded addresses come from requests at the gateway only. */
  readonly attributes?: RouteAttributes | undefined;
}
export type Orders = readonly Order[];

/** The order that applies. */
export function orderFor(
  orders: Orders,
  prefix: string,
  exchange: string,
): Pick<Order, "announce" | "prepend"> & { readonly attributes: RouteAttributes } {
  const own = orders.filter((order) => order.prefix === prefix);
  const order =
    own.find((one) => one.exchange === exchange) ?? own.find((one) => one.exchange === null) ?? null;
  const { announce, prepend, attributes = plainAttributes } = order ?? { announce: true, prepend: 0 };
  return { announce, prepend, attributes };
}

/** An order for all exchanges replaces those for single ones: the last order counts. */
export function withOrder(orders: Orders, order: Order): Orders {
  const isReplaced = ({ prefix, exchange }: Order) =>
    prefix === order.prefix && (order.exchange === null || exchange === order.exchange);
  return [...orders.filter((known) => !isReplaced(known)), order];
}
