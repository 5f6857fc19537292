-- What the broker was given is charged until it is known that it will not be sent; and a day carries so many bytes.

-- When nobody can send any more of a part that ended early: its agent has said so, or its time is over.
ALTER TABLE measurement_agents ADD COLUMN settled_at timestamptz;
-- What ended before this version was credited in full.
UPDATE measurement_agents SET settled_at = updated_at WHERE credited_probes IS NOT NULL;

-- When a gateway gave up to publish the rest, because the measurement had ended: published_probes is final then.
ALTER TABLE measurements ADD COLUMN publishing_ended_at timestamptz;
-- When what its agents have not said is taken as not sent; null = nothing is open.
ALTER TABLE measurements ADD COLUMN settle_at timestamptz;
CREATE INDEX measurements_to_settle ON measurements (settle_at) WHERE settle_at IS NOT NULL;

-- Of the bodies of accepted submissions, unpacked; never given back.
ALTER TABLE quota_days ADD COLUMN bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0);
