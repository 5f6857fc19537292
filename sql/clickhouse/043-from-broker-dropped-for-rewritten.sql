-- As 029.
DROP TABLE IF EXISTS measure.from_broker SETTINGS check_table_dependencies = 0
