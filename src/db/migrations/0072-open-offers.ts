import { buildIndex, type Step } from './migration.ts';

/**
 * Keeps `open` where a node of an earlier version, which does not know the column, settles an
 * offer.
 */
export const keepOpen = `
CREATE OR REPLACE FUNCTION keep_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE offers SET open = false WHERE id = NEW.id AND open;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER offers_settled AFTER UPDATE OF state ON records FOR EACH ROW
  WHEN (NEW.type = 'offer' AND NEW.state NOT IN ('reserved', 'confirmed'))
  EXECUTE FUNCTION keep_open();
`;

/**
 * Whether an offer is open, so that those of an agent are counted and found without the settled
 * ones, of which there may be any number.
 */
export const openOffers: readonly Step[] = [
  `ALTER TABLE offers ADD COLUMN IF NOT EXISTS open boolean NOT NULL DEFAULT true;
   ${keepOpen}`,
  `UPDATE offers o
   SET open = false
   FROM records c
   WHERE c.id = o.id AND o.open AND c.state NOT IN ('reserved', 'confirmed')`,
  ...buildIndex('offers_open', 'offers (sender_id) WHERE open'),
];
