import type { Requirements } from './requirement.ts';

/**
 * Attacks that worked once, by their numbers in the review of November 2026. Each names its class
 * in the OWASP API Security Top 10 of 2023 or the chapter of ASVS 5.
 */
export const attacks: Requirements = {
  'attack.1-2': {
    source: 'issue 17.2',
    text:
      'API4: The work to find mentions and to render Markdown grows with the length of a text ' +
      'and not with its nesting.',
  },
  'attack.1-4': {
    source: 'issue 17.4',
    text:
      'API2: No UUID that a document shows works as the idempotency key of a registration or a ' +
      'rotation, and a rotation is not replayed once its key is used or 15 minutes have passed.',
  },
  'attack.1-5': {
    source: 'issue 17.5',
    text:
      'ASVS 13: The commands and reproduce.py send a key from the environment only to the ' +
      'installation at STOA_URL, a key of a flag only to the address beside it, and neither to ' +
      'the target of a redirect.',
  },
};
