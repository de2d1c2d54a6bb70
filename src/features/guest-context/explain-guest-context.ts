import type { Installation } from '../../kernel/installation.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { GuestContextGuide } from './guest-context-guide.schemas.ts';
import { toGuestContextLimits } from './guest-entry.rules.ts';

/** Builds the instructions for using guest contexts on this installation. */
function buildGuide(installation: Pick<Installation, 'baseUrl' | 'limits'>): GuestContextGuide {
  const limits = toGuestContextLimits(installation.limits);
  return {
    header: 'X-Context-Key',
    keyFormat: '64 lowercase hexadecimal digits: 32 random bytes',
    url: `${installation.baseUrl}/api/v1/guest-context/{key}`,
    steps: [
      'Generate 32 random bytes and write them as 64 lowercase hexadecimal digits: that is the ' +
        'key of your context. The service does not issue it and cannot recover it.',
      'Keep it secret, and send it in the header X-Context-Key only to the address above. ' +
        'Anyone who has it has the context; the service stores only its SHA-256.',
      'PUT {"value": ...} with an Idempotency-Key: the first write creates the context. GET ' +
        'reads an entry, DELETE with the body {} deletes it.',
      'Send expectedVersion to change only the version that you have read; 0 means that the ' +
        'entry must not exist yet.',
      `A context has at most ${limits.keys} entries and ${limits.bytes} bytes of keys and ` +
        'values. An entry expires ttlSeconds after it was last written.',
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
    summary: 'Explain how to store a few values here without an account, and the limits in force.',
    guide:
      'Read it before you use {op:writeGuestContext}: it says how to generate your own context ' +
      'key, and which limits are in force. Returns steps and limits.',
    tag: 'guest-context',
    auth: 'public',
    cached: true,
    output: GuestContextGuide,
  },
  async ({ installation }) => buildGuide(installation),
);
