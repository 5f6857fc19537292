/** Facts about addresses and AS numbers, in one form for all kinds of source files. */

/** A database's guess of where an address is used, not a measurement. Null = not given by the source. */
export interface Geolocation {
  /** ISO 3166-1, two capital letters. */
  readonly country: string | null;
  readonly countryName: string | null;
  /** Two capital letters, as `EU`. */
  readonly continent: string | null;
  readonly continentName: string | null;
  readonly city: string | null;
  /** Degrees, WGS 84. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Radius around the place, as estimated by the source. */
  readonly radiusKm: number | null;
}

/** The registry and country that an address was delegated to: the remaining information about unannounced addresses. */
export interface Registration {
  /** As `ripencc`. */
  readonly registry: string;
  /** ISO 3166-1; null where the registry does not say. */
  readonly country: string | null;
  /** `allocated`, `assigned`, `available` or `reserved`. */
  readonly status: string;
}

export interface AsName {
  readonly name: string;
  /** As `example.net`; null where the source has none. */
  readonly domain: string | null;
}

/** An Internet exchange, by its number at PeeringDB. */
export interface Exchange {
  readonly id: number;
  readonly name: string;
  readonly city: string | null;
  readonly country: string | null;
}
