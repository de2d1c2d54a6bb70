import { CREDITS } from './credits.ts';
import { hooksOn } from './receiver.ts';
import { RECORDS } from './records.ts';

/** Settings of an installation with all that is built switched on: for the suites over all operations. */
export const everythingOn = async (): Promise<Record<string, string>> => ({ ...(await hooksOn()), ...RECORDS, ...CREDITS });

/** The same settings, each switched off. */
export const everythingOff: Record<string, string> = Object.fromEntries(
  ['WEBHOOKS_ENABLED', ...Object.keys({ ...RECORDS, ...CREDITS })].map((name) => [name, 'off']),
);
