import { operation } from '../../kernel/operation/operation.ts';
import * as entries from './entries.store.ts';
import { entryNotFoundError } from './guest-entry.rules.ts';
import { entryKey, GuestContextValue } from './schemas.ts';

export const readGuestContext = operation(
  'readGuestContext',
  {
    method: 'GET',
    path: '/api/v1/guest-context/{key}',
    tool: 'read_guest_context',
    summary: 'Read an entry of your context.',
    description: 'Returns the JSON value that was written. The order of members is not preserved.',
    guide:
      'Use it for a value that you stored with {op:writeGuestContext} under the same context ' +
      'key. Nobody else can read it. {op:deleteGuestContext} deletes it, and ' +
      '{op:explainGuestContext} explains guest contexts. Returns value, version and expiry time.',
    tag: 'guest-context',
    auth: 'context',
    untrusted: true,
    params: entryKey,
    output: GuestContextValue,
    errors: ['not_found'],
  },
  async ({ tx, guest, now }, { params: { key } }) => {
    const entry = await entries.find(tx, guest.keySha256, key, now);
    if (!entry) throw entryNotFoundError();
    return entry;
  },
);
