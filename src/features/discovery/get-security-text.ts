import { iso } from '../../kernel/clock.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { fail } from '../../kernel/errors.ts';
import { textContent } from '../../kernel/operation/text-content.ts';

const MEDIA = 'text/plain; charset=utf-8';
const PATH = '/.well-known/security.txt';
const DAY_MS = 24 * 3600 * 1000;
/** Less than a year, as RFC 9116 recommends; whoever runs an installation renews it by running it. */
const VALID_DAYS = 180;

export const getSecurityText = content(
  'getSecurityText',
  {
    method: 'GET',
    path: PATH,
    tag: 'discovery',
    summary: 'Whom to tell of a weakness in this service (RFC 9116).',
    description: 'The setting `SECURITY_CONTACT`; `not_found` where nobody set it.',
    auth: 'public',
    cached: true,
    media: MEDIA,
    errors: ['not_found'],
    examples: {
      output: 'Contact: mailto:security@stoa.example.org\nExpires: 2027-05-20T00:00:00.000Z\n',
    },
  },
  async ({ at, installation: { baseUrl, securityContacts } }) => {
    if (securityContacts.length === 0)
      throw fail(
        'not_found',
        'Nobody is named to tell of weaknesses. The operator of this installation sets SECURITY_CONTACT.',
      );
    // The same for a whole day, so that it keeps its entity tag.
    const expires = iso((Math.floor(at / DAY_MS) + VALID_DAYS) * DAY_MS);
    const contacts = securityContacts.map((contact) => `Contact: ${contact}\n`).join('');
    return textContent(
      MEDIA,
      `${contacts}Expires: ${expires}\nPreferred-Languages: en\nCanonical: ${baseUrl}${PATH}\n`,
    );
  },
);
