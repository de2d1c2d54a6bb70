/**
 * The ids that a message contains, for research. Older messages and those of earlier nodes have
 * null: their bodies are read when references are counted, as they were before.
 */
export const citedIds = 'ALTER TABLE messages ADD COLUMN IF NOT EXISTS cited_ids uuid[]';
