import { buildModel, type Told, type Way } from './told.ts';

const MAX_KEYS = 8;

/** What is done with an entry of a guest context. */
export interface GuestOperation extends Told {
  readonly kind: 'write' | 'delete' | 'read';
  readonly context: string;
  readonly key: string;
  /** Only for a write. */
  readonly value?: number;
  /** The expected version; null for any. Not for a read. */
  readonly expected?: number | null;
}

/** A guest context. Versions go on above the highest that was deleted. */
interface GuestContext {
  readonly floor: number;
  readonly entries: Readonly<Record<string, { readonly version: number; readonly value: number }>>;
}

function apply(state: GuestContext, operation: GuestOperation): Way<GuestContext>[] {
  const { kind, key, value = 0, expected = null } = operation;
  const { [key]: entry, ...others } = state.entries;
  const current = entry?.version ?? 0;
  if (kind === 'read') return [[state, entry ? `${current} ${entry.value}` : 'not_found']];
  if (kind === 'delete' && !entry) return [[state, 'not_found']];
  if (expected !== null && expected !== current) return [[state, `version_conflict ${current}`]];
  if (kind === 'delete') {
    const floor = Math.max(state.floor, current);
    return [[{ floor, entries: others }, `deleted ${current}`]];
  }
  if (!entry && Object.keys(others).length >= MAX_KEYS) return [[state, 'limit_exceeded']];
  const version = (entry?.version ?? state.floor) + 1;
  const entries = { ...others, [key]: { version, value } };
  return [[{ ...state, entries }, `written ${version}`]];
}

/** Guest contexts (contract, section 9) whose entries do not expire meanwhile. */
export const guestContextModel = buildModel<GuestContext, GuestOperation>({
  initial: { floor: 0, entries: {} },
  apply,
  reads: ['read'],
  partition: ({ context }) => context,
});
