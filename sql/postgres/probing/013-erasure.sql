-- A user who is erased leaves no name behind. Where rows of the audit name the user, erasing, and nothing else, takes
-- the name out of them: in a transaction that says so.
DROP RULE audit_keeps ON audit;
CREATE RULE audit_keeps AS ON UPDATE TO audit
  WHERE current_setting('vantage.erasing', true) IS DISTINCT FROM 'yes' DO INSTEAD NOTHING;
