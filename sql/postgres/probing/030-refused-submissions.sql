-- Submissions that were refused, and why: for who asks what happened to a request. The newest of each user, for a week.
CREATE TABLE refused_submissions (
  refusal_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request_id text NOT NULL,
  user_hash text NOT NULL REFERENCES users ON DELETE CASCADE,
  gateway_id text NOT NULL,
  refused_at timestamptz NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  reason text NOT NULL,
  -- By its User-Agent.
  made_by text,
  -- The open measurement that the probes were for; it need not exist.
  added_to text
);
CREATE INDEX refused_submissions_by_request ON refused_submissions (request_id);
CREATE INDEX refused_submissions_by_measurement ON refused_submissions (added_to) WHERE added_to IS NOT NULL;
CREATE INDEX refused_submissions_by_user ON refused_submissions (user_hash, refused_at DESC);
CREATE INDEX refused_submissions_by_time ON refused_submissions (refused_at);
