import type { Called } from '../caller.ts';
import type { Json } from '../send.ts';
import type { Site } from '../site.ts';
import type { Stage } from '../stage.ts';
import { waitForNone } from './wait-for-none.ts';

/** A seed repeats so many of its acts at most. */
const REPEATED = 150;
/** Leases have seconds; ended ones are found by a job. */
const ENDED_MS = 60_000;

/** Tables of which each row is an effect of some act. */
const effects =
  'agents api_keys assignments events evidence files guest_entries idempotency_records ' +
  'interactions invitations ledger_postings ledger_transactions members messages offers ' +
  'portable_events record_revisions requests rooms subscriptions tasks threads webhooks';

async function countRows(site: Site): Promise<string> {
  const counts = effects
    .split(' ')
    .map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`)
    .join(', ');
  const [row] = await site.query(`SELECT ${counts}`);
  return JSON.stringify(row);
}

/** Waits until the last lease has ended, because an end is told to its holder. */
const waitForLeases = (site: Site): Promise<string[]> =>
  waitForNone(site, "requests WHERE state = 'claimed'", 'Claims that have not ended', ENDED_MS);

/** A claim is given again as it is now; a key is shown once. */
const isException = ({ path }: Called): boolean => /\/claims?(\/|$|\?)|\/me\/keys$/.test(path);

/**
 * Every act that was acknowledged is repeated with its idempotency key: it gets the same answer,
 * and nothing happens.
 */
export async function checkReplays(site: Site, { caller }: Stage): Promise<string[]> {
  const acts = caller.acts.filter((called) => !isException(called)).slice(-REPEATED);
  const faults = await waitForLeases(site);
  const before = await countRows(site);
  for (const called of acts) {
    const again: { status: number; answer: Json } = await caller.repeat(called);
    if (again.status !== 200 || JSON.stringify(again.answer) !== JSON.stringify(called.answer))
      faults.push(
        `${called.method} ${called.path} with key ${called.idempotencyKey} was answered with ` +
          `${JSON.stringify(called.answer)}, and again with ${again.status} ` +
          JSON.stringify(again.answer),
      );
  }
  const after = await countRows(site);
  if (before !== after) faults.push(`Repeated acts had effects: ${before} became ${after}.`);
  return faults;
}
