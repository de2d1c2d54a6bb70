import { buildModel, type Told } from './told.ts';

/** A post with an idempotency key, or a look at the messages that were posted with it. */
export interface KeyOperation extends Told {
  readonly kind: 'post' | 'find';
  readonly key: string;
  /** What is posted. */
  readonly body?: string;
}

/** What a key stands for: the body of its post, and the message, which is empty until told. */
interface KeyState {
  readonly body: string | null;
  readonly id: string;
}

/** Idempotency keys of posts (contract, section 3): one effect, and the same answer for ever. */
export const idempotencyModel = buildModel<KeyState, KeyOperation>({
  initial: { body: null, id: '' },
  apply(state, { kind, body = '', outcome }) {
    const [told, named = ''] = outcome.split(' ');
    const id = state.id === '' && told === 'message' ? named : state.id;
    if (kind === 'find')
      return [state.body === null ? [state, 'nothing'] : [{ ...state, id }, `message ${id}`]];
    if (state.body === null || state.body === body) return [[{ body, id }, `message ${id}`]];
    return [[state, 'idempotency_key_reused']];
  },
  reads: [],
  partition: ({ key }) => key,
});
