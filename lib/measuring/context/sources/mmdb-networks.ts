/** Reads a network's record of a MaxMind DB, in the fields of GeoLite2 and of IPinfo. */
import type { BitPrefix } from "../../../net/ip/address-range.ts";
import type { ContextBuilder } from "../context-builder.ts";
import type { Geolocation } from "../facts.ts";
import { addIpinfoNetworks } from "./ipinfo.ts";
import type { MmdbMap, MmdbValue, MmdbValues } from "./mmdb-values.ts";

export function addMmdbNetwork(
  network: BitPrefix,
  offset: number,
  values: MmdbValues,
  builder: ContextBuilder,
): void {
  const value = values.at(offset);
  if (!isMap(value)) {
    return;
  }
  const { base, bits } = network;
  const asn = value.autonomous_system_number;
  if (typeof asn === "number") {
    builder.databaseOrigins.add(base, bits, [asn]);
    builder.nameAs(asn, textOf(value.autonomous_system_organization) ?? "", null);
  } else if (typeof value.country === "string" || typeof value.asn === "string") {
    const row = Object.entries(value).map(([name, field]) => [name, String(field)]);
    addIpinfoNetworks([network], Object.fromEntries(row), builder);
  } else {
    builder.places.add(base, bits, placeOf(value));
  }
}

function placeOf(value: MmdbMap): Geolocation {
  const country = mapOf(value.country) ?? mapOf(value.registered_country);
  const continent = mapOf(value.continent);
  const location = mapOf(value.location);
  return {
    country: textOf(country?.iso_code),
    countryName: englishName(country),
    continent: textOf(continent?.code),
    continentName: englishName(continent),
    city: englishName(mapOf(value.city)),
    latitude: numberOf(location?.latitude),
    longitude: numberOf(location?.longitude),
    radiusKm: numberOf(location?.accuracy_radius),
  };
}

function englishName(map: MmdbMap | null): string | null {
  return textOf(mapOf(map?.names)?.en);
}

function isMap(value: MmdbValue | undefined): value is MmdbMap {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);
}

function mapOf(value: MmdbValue | undefined): MmdbMap | null {
  return isMap(value) ? value : null;
}

function textOf(value: MmdbValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function numberOf(value: MmdbValue | undefined): number | null {
  return typeof value === "number" ? value : null;
}
