-- Who has sent from an address, asked by anybody who finds our packets.
CREATE INDEX measurement_targets_by_source ON measurement_targets (source_address) WHERE source_address IS NOT NULL;
