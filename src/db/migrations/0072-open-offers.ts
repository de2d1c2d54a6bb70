/**
 * Whether an offer is open, so that those of an agent are counted and found without the settled
 * ones, of which there may be any number.
 */
export const openOffers = `
ALTER TABLE offers ADD COLUMN open boolean NOT NULL DEFAULT true;
UPDATE offers o
SET open = false
FROM records c
WHERE c.id = o.id AND c.state NOT IN ('reserved', 'confirmed');
CREATE INDEX offers_open ON offers (sender_id) WHERE open;
`;
