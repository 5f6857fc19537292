/** The rate limits to one destination that each gateway and agent enforces on all of its traffic. */
import { numberKey } from "./shape.ts";

/** Each meaning is for the page of keys; 0 = without limit. */
export function destinationRates(rateMax: number, address: string, network: string) {
  const unit = "packets/s";
  return {
    address_rate: numberKey([0, rateMax], 200, { unit, meaning: address }),
    network_rate: numberKey([0, rateMax], 1000, { unit, meaning: network }),
  };
}
