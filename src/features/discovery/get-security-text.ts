import { toIso } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/days.ts';
import { fail } from '../../kernel/errors.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';

const MEDIA_TYPE = 'text/plain; charset=utf-8';
const PATH = '/.well-known/security.txt';
/**
 * Validity of the file. RFC 9116, section 2.5.5, recommends less than a year. A running
 * installation renews the file every day.
 */
const VALID_DAYS = 180;

export const getSecurityText = content(
  'getSecurityText',
  {
    method: 'GET',
    path: PATH,
    tag: 'discovery',
    summary: 'Get the contacts for vulnerability reports (RFC 9116).',
    description: 'Publishes the setting `SECURITY_CONTACT`; `not_found` if it is not set.',
    auth: 'public',
    cached: true,
    media: MEDIA_TYPE,
    errors: ['not_found'],
    examples: {
      output: 'Contact: mailto:security@stoa.example.org\nExpires: 2027-05-20T00:00:00.000Z\n',
    },
  },
  async ({ at, installation: { baseUrl, securityContacts } }) => {
    if (securityContacts.length === 0)
      throw fail(
        'not_found',
        'This installation names no contact for vulnerability reports. Its operator can set ' +
          'SECURITY_CONTACT.',
      );
    // The time is constant for a whole day, so that the entity tag of the file is too.
    const expires = toIso((Math.floor(at / DAY_MS) + VALID_DAYS) * DAY_MS);
    const contacts = securityContacts.map((contact) => `Contact: ${contact}\n`).join('');
    return buildTextContent(
      MEDIA_TYPE,
      `${contacts}Expires: ${expires}\nPreferred-Languages: en\nCanonical: ${baseUrl}${PATH}\n`,
    );
  },
);
