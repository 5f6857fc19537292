-- What a user's SQL has cost the column store on a UTC day. Others wait while a query runs, so its time is counted.
CREATE TABLE sql_days (
  user_hash text NOT NULL REFERENCES users ON DELETE CASCADE,
  day date NOT NULL,
  queries bigint NOT NULL DEFAULT 0,
  used_ms bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_hash, day)
);
