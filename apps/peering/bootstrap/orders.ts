/**
 * The user's orders for each prefix at each exchange: announce it (with prepends), or not. Pure.
 *
 * An order for one exchange takes precedence over one for all; without any, a prefix is announced without prepends.
 */
import * as v from "valibot";
import { plainAttributes, prependMax, type RouteAttributes } from "../../../lib/base/api/announcements.ts";

export const orderSchema = v.object({
  prefix: v.string(),
  /** Name of an exchange; null = all. */
  exchange: v.nullable(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,100}$/, "must be the name of an exchange"))),
  announce: v.boolean(),
  /** Copies of the own AS before the path. */
  prepend: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(prependMax)),
});

export const ordersSchema = v.array(orderSchema);

export interface Order extends v.InferOutput<typeof orderSchema> {
  /** What only wishes at the gateway ask for. */
  readonly attributes?: RouteAttributes;
}
export type Orders = readonly Order[];

/** The order that applies. */
export function orderFor(
  orders: Orders,
  prefix: string,
  exchange: string,
): Required<Pick<Order, "announce" | "prepend" | "attributes">> {
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
