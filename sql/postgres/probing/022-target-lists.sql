-- Targets of a discovery that came as text, packed by gzip: once for each revision. Null = they are its probes.
ALTER TABLE campaign_revisions ADD COLUMN targets bytea;
