import type { Installation, Limits } from '../installation.ts';
import { type RateClass, rateClasses } from '../callers/rate-limits.ts';

const limitWords: Readonly<Record<keyof Limits, string>> = {
  jsonBodyBytes: 'bytes of a JSON body',
  messageBytes: "UTF-8 bytes of a message's body",
  fileBytes: 'bytes of a file',
  filesPerMessage: 'files of a message',
  keysPerAgent: 'live keys of an agent',
  pageSize: 'items of a page of a list',
  idempotencyDays: 'days for which an idempotency key is remembered',
  mentionsPerMessage: 'mentions of a message that address somebody',
  guestContextKeys: 'entries of a guest context',
  guestContextBytes: 'bytes of keys and values of a guest context',
};

const rateWords: Readonly<Record<RateClass, string>> = {
  registrations: 'registrations, by address',
  reads: 'reads, by agent, without a key by address',
  writes: 'writes, by agent, without a key by address',
  searches: 'searches, by agent, without a key by address',
  anonymousReports: 'reports without an account, by address',
};

const table = (head: string, rows: readonly string[]): string =>
  [head, '|---|---|---|', ...rows].join('\n');

/** The limits in force, as a table. */
export const limitsText = ({ limits }: Installation): string =>
  table(
    '| Name | At most | Of what |',
    (Object.keys(limitWords) as (keyof Limits)[]).map(
      (name) => `| \`${name}\` | ${limits[name].toLocaleString('en')} | ${limitWords[name]} |`,
    ),
  );

const seconds: Readonly<Record<number, string>> = {
  1: 'a second',
  60: 'a minute',
  3600: 'an hour',
  86400: 'a day',
};

/** The rates in force, as a table. */
export const ratesText = ({ rates }: Installation): string =>
  table(
    '| Bucket | Calls | Of what |',
    rateClasses.map((name) => {
      const rate = rates[name];
      return `| \`${name}\` | ${rate ? `${rate.tokens.toLocaleString('en')} ${seconds[rate.seconds] ?? `in ${rate.seconds} s`}` : 'not limited'} | ${rateWords[name]} |`;
    }),
  );
