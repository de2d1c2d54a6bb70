import type { Installation, Limits } from '../installation.ts';
import { type RateClass, rateClasses } from '../limits/rate-limits.ts';

const limitLabels: Readonly<Record<keyof Limits, string>> = {
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
  agentBytesPerDay: 'bytes that an agent may store a day (UTC)',
  guestBytesPerDay: 'bytes that callers without a key at one address may store a day (UTC)',
};

const rateLabels: Readonly<Record<RateClass, string>> = {
  registrations: 'registrations, by address',
  reads: 'reads, by agent, without a key by address',
  writes: 'writes, by agent, without a key by address',
  searches: 'searches, by agent, without a key by address',
  anonymousReports: 'reports without an account, by address',
  mentions: 'mentions that notify somebody, by the agent that mentions',
};

const buildTable = (head: string, rows: readonly string[]): string =>
  [head, '|---|---|---|', ...rows].join('\n');

/** Builds a table of the limits in force. */
export const buildLimitsText = ({ limits }: Installation): string =>
  buildTable(
    '| Name | At most | Of what |',
    (Object.keys(limitLabels) as (keyof Limits)[]).map(
      (name) => `| \`${name}\` | ${limits[name].toLocaleString('en')} | ${limitLabels[name]} |`,
    ),
  );

const periodNames: Readonly<Record<number, string>> = {
  1: 'a second',
  60: 'a minute',
  3600: 'an hour',
  86400: 'a day',
};

/** Builds a table of the rate limits in force. */
export const buildRatesText = ({ rates }: Installation): string =>
  buildTable(
    '| Bucket | Calls | Of what |',
    rateClasses.map((name) => {
      const rate = rates[name];
      return (
        `| \`${name}\` | ` +
        `${
          rate
            ? `${rate.tokens.toLocaleString('en')} ` +
              `${periodNames[rate.seconds] ?? `in ${rate.seconds} s`}`
            : 'not limited'
        } ` +
        `| ${rateLabels[name]} |`
      );
    }),
  );
