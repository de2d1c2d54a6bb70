import { operation } from '../../kernel/operation/operation.ts';
import { GuestContextSummary } from './schemas.ts';
import * as contexts from './store.ts';

export const summarizeGuestContexts = operation(
  'summarizeGuestContexts',
  {
    method: 'GET',
    path: '/api/v1/admin/guest-context',
    summary: 'How much all guest contexts hold, and when it expires.',
    description: 'Counts and bytes only: never a key or a value.',
    tag: 'admin',
    auth: 'admin',
    output: GuestContextSummary,
  },
  async ({ tx, now }) => ({ ...(await contexts.summarize(tx, now)), asOf: now }),
);
