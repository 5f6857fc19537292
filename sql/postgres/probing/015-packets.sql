-- Agents may keep the packets of a measurement, for users to whom the operators grant it.
ALTER TABLE users ADD COLUMN may_record_packets boolean NOT NULL DEFAULT false;
ALTER TABLE measurements ADD COLUMN records_packets boolean NOT NULL DEFAULT false;

-- What one agent sent and heard for a measurement on one of its interfaces: a pcap file, for some days.
CREATE TABLE packet_files (
  measurement_id uuid NOT NULL REFERENCES measurements ON DELETE CASCADE,
  agent_id text NOT NULL REFERENCES agents,
  interface_name text NOT NULL,
  sent_packets bigint NOT NULL CHECK (sent_packets >= 0),
  heard_packets bigint NOT NULL CHECK (heard_packets >= 0),
  -- What the agent's limits had no room for.
  left_out_packets bigint NOT NULL CHECK (left_out_packets >= 0),
  size_bytes integer NOT NULL CHECK (size_bytes > 0),
  content bytea NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (measurement_id, agent_id, interface_name)
);
CREATE INDEX packet_files_by_expiry ON packet_files (expires_at);
