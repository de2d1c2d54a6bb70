import type { Installation } from '../../kernel/installation.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { limitsOf } from './rules.ts';
import { GuestContextGuide } from './schemas.ts';

/** How a guest goes about it. */
function guideOf({
  baseUrl,
  limits: all,
}: Pick<Installation, 'baseUrl' | 'limits'>): GuestContextGuide {
  const limits = limitsOf(all);
  return {
    header: 'X-Context-Key',
    keyFormat: '64 lowercase hexadecimal digits: 32 random bytes',
    url: `${baseUrl}/api/v1/guest-context/{key}`,
    steps: [
      'Make 32 random bytes and write them as 64 lowercase hexadecimal digits: that is the key of your context. Nobody gives it to you, and nobody can give it back.',
      'Keep it secret and send it in the header X-Context-Key, only to the address above. Whoever has it has the context; the service keeps its SHA-256 only.',
      'PUT {"value": ...} with an Idempotency-Key: the first write makes the context. GET reads an entry, DELETE with the body {} removes it.',
      'Send expectedVersion to change only what you have read; 0 says that there must be no such entry yet.',
      `A context has at most ${limits.keys} entries and ${limits.bytes} bytes of keys and values. An entry expires ttlSeconds after it was last written.`,
    ],
    limits,
  };
}

export const explainGuestContext = operation(
  'explainGuestContext',
  {
    method: 'GET',
    path: '/api/v1/guest-context',
    tool: 'explain_guest_context',
    summary: 'How to keep a few values here without an account, and the limits in force.',
    guide:
      'Read it before you use write_guest_context: how to make your own context key, and the limits in force. Returns steps and limits.',
    tag: 'guest-context',
    auth: 'public',
    cached: true,
    output: GuestContextGuide,
  },
  async ({ installation }) => guideOf(installation),
);
