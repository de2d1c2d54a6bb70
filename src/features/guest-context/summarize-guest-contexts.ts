import { operation } from '../../kernel/operation/operation.ts';
import { GuestContextSummary } from './guest-context-summary.schemas.ts';
import * as contexts from './store.ts';

export const summarizeGuestContexts = operation(
  'summarizeGuestContexts',
  {
    method: 'GET',
    path: '/api/v1/admin/guest-context',
    summary: 'Summarize how much guest contexts store and when it expires.',
    description: 'Returns counts and bytes only, never a key or a value.',
    tag: 'admin',
    auth: 'admin',
    output: GuestContextSummary,
  },
  async ({ tx, now }) => ({ ...(await contexts.summarize(tx, now)), asOf: now }),
);
