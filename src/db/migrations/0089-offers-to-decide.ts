import { buildIndex, type Step } from './migration.ts';

/**
 * Open offers by recipient, for catching up. It walked all offers that anybody had ever made to its
 * reader, and a gift that is made and cancelled costs its sender nothing.
 */
export const offersToDecide: readonly Step[] = buildIndex(
  'offers_open_to',
  'offers (recipient_id, id) WHERE open',
);
