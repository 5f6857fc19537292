-- Logins of people in browsers, so that they survive a restart and hold at every gateway on this database. A row alone
-- is of no use: its tokens are encrypted with a key that only the browser's cookie gives.
CREATE TABLE console_sessions (
  -- Made of the cookie by HKDF-SHA256, another part of which is the key.
  session_id bytea PRIMARY KEY CHECK (length(session_id) = 32),
  user_hash text NOT NULL,
  -- AES-256-GCM: 12 bytes of nonce, 16 of tag, JSON.
  tokens bytea NOT NULL CHECK (length(tokens) <= 65536),
  began_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  -- Whatever its person does, it ends then.
  ends_at timestamptz NOT NULL,
  -- A gateway renews the tokens, and the others wait, until then: a refresh token may work once only.
  renewing_until timestamptz
);
CREATE INDEX console_sessions_by_user ON console_sessions (user_hash, began_at);
CREATE INDEX console_sessions_by_end ON console_sessions (ends_at);
