import { operation } from '../../kernel/operation/operation.ts';
import { noEntry } from './rules.ts';
import { entryKey, GuestContextValue } from './schemas.ts';
import * as contexts from './store.ts';

export const readGuestContext = operation(
  'readGuestContext',
  {
    method: 'GET',
    path: '/api/v1/guest-context/{key}',
    tool: 'read_guest_context',
    summary: 'Read an entry of your context.',
    description: 'The value is the JSON value that was written; the order of members is not kept.',
    guide:
      'Use it for a value that you kept with write_guest_context under the same context key. Nobody else can read it; delete_guest_context forgets it, explain_guest_context tells how all this works. Returns value, version and when it expires.',
    tag: 'guest-context',
    auth: 'context',
    untrusted: true,
    params: entryKey,
    output: GuestContextValue,
    errors: ['not_found'],
  },
  async ({ tx, guest, now }, { params: { key } }) => {
    const entry = await contexts.find(tx, guest.keySha256, key, now);
    if (!entry) throw noEntry();
    return entry;
  },
);
