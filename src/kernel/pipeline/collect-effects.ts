import type { BulkWrite, NewReceipt, Notice } from '../effects.ts';
import type { NewId } from '../ids.ts';
import type { Installation } from '../installation.ts';
import type { WriteContext } from '../operation/spec.ts';
import type { CommitEffects } from './group-commit/commit-effects.store.ts';

/** Gathers what a handler leaves behind until its transaction commits. */
export interface EffectCollector extends Pick<WriteContext, 'write' | 'record' | 'notify'> {
  /** Events and their addressees so far. */
  readonly notices: readonly Notice[];
  /** Everything so far, with the idempotency record of the call if it has one. */
  build(record: CommitEffects['record']): CommitEffects;
}

/** `now`: the time that receipts carry. `installation`: the issuer that they name. */
export function createEffectCollector(
  newId: NewId,
  installation: Installation,
  now: string,
): EffectCollector {
  const receipts: (NewReceipt & { readonly id: string })[] = [];
  const notices: Notice[] = [];
  const writes: { readonly statement: BulkWrite<unknown>; readonly row: unknown }[] = [];
  return {
    notices,
    write(statement, row) {
      // A statement and its rows have one type, which a list of several statements cannot express.
      writes.push({ statement: statement as BulkWrite<unknown>, row });
    },
    record(receipt) {
      const id = newId();
      receipts.push({ ...receipt, id });
      return id;
    },
    notify(addressees, event) {
      notices.push({ addressees, event });
    },
    build: (record) => ({ now, issuer: installation, writes, receipts, notices, record }),
  };
}
