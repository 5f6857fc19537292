-- What the mappings asked for each lease; their statement finds it in one look at the wishes now.
DROP FUNCTION announced_until(text, cidr, timestamptz);
DROP FUNCTION announced_at(text, cidr, timestamptz);
