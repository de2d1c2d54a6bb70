/**
 * The ids that a message contains, for research. Older messages and those of earlier nodes have
 * null: their bodies are read when references are counted, as they were before. They go with the
 * body, also when a node of an earlier version deletes it.
 */
export const citedIds = `
ALTER TABLE messages ADD COLUMN IF NOT EXISTS cited_ids uuid[];
CREATE OR REPLACE FUNCTION forget_cited_ids() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.cited_ids = '{}';
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER forget_cited_ids BEFORE UPDATE OF body ON messages FOR EACH ROW
  WHEN (NEW.body = '' AND NEW.cited_ids <> '{}')
  EXECUTE FUNCTION forget_cited_ids();
`;
