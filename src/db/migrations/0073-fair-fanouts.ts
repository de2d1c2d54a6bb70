/**
 * Who wrote the message of a fan-out, so that the fan-outs of one author that wait are counted
 * without reading those of all others. It is null in rows that an earlier version of the service
 * writes while nodes are upgraded one after the other; these count for nobody.
 */
export const fairFanouts = `
ALTER TABLE event_fanouts ADD COLUMN author_id uuid REFERENCES agents;
UPDATE event_fanouts f
SET author_id = m.author_id
FROM messages m
WHERE m.id = f.message_id;
CREATE INDEX event_fanouts_of_author ON event_fanouts (author_id);
`;
