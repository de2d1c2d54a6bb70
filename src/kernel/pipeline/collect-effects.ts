import type { BulkWrite, NewReceipt, Notice } from '../effects.ts';
import type { NewId } from '../ids.ts';
import type { Installation } from '../installation.ts';
import type { WriteContext } from '../operation/spec.ts';
import type { CommitEffects } from './group-commit/commit-effects.store.ts';

/** Collects the effects of a handler until its transaction commits. */
export interface EffectCollector
  extends Pick<WriteContext, 'write' | 'record' | 'notify' | 'notifyLater' | 'wake'> {
  /** The events so far, with their addressees. */
  readonly notices: readonly Notice[];
  /** How many further agents get an event in the background. */
  readonly toldLater: number;
  /** Topics of which callers wait for news. */
  readonly topics: readonly string[];
  /**
   * Builds the effects so far, with these events, and with the idempotency record of the call if
   * there is one.
   */
  build(notices: readonly Notice[], record: CommitEffects['record']): CommitEffects;
}

/**
 * Creates an empty collector. `now` is the time of the receipts, and `installation` their issuer.
 */
export function createEffectCollector(
  newId: NewId,
  installation: Installation,
  now: string,
): EffectCollector {
  const receipts: (NewReceipt & { readonly id: string })[] = [];
  const notices: Notice[] = [];
  let toldLater = 0;
  const topics: string[] = [];
  const writes: { readonly statement: BulkWrite<unknown>; readonly row: unknown }[] = [];
  return {
    notices,
    get toldLater() {
      return toldLater;
    },
    topics,
    write(statement, row) {
      // Each statement has the same type as its rows, which the type of a list cannot express.
      writes.push({ statement: statement as BulkWrite<unknown>, row });
    },
    record(receipt) {
      const id = newId();
      receipts.push({ ...receipt, id });
      return id;
    },
    notify(addressees, event, causedBy) {
      notices.push({ addressees, event, causedBy });
    },
    notifyLater(count) {
      toldLater += count;
    },
    wake(more) {
      topics.push(...more);
    },
    build: (told, record) => ({
      now,
      issuer: installation,
      writes,
      receipts,
      notices: told,
      record,
    }),
  };
}
