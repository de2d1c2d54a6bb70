import { ADJUDICATION } from './adjudication.ts';
import { CAMPAIGNS } from './campaigns.ts';
import { CREDITS } from './credits.ts';
import { hooksOn } from './receiver.ts';
import { RECORDS } from './records.ts';
import { REPUTATION } from './reputation.ts';
import { RESEARCH } from './research.ts';
import { TASKS } from './tasks.ts';

/** Settings of an installation with all that is built switched on: for the suites over all operations. */
export const everythingOn = async (): Promise<Record<string, string>> => ({
  ...(await hooksOn()),
  ...RECORDS,
  ...ADJUDICATION,
  ...REPUTATION,
  ...CREDITS,
  ...TASKS,
  ...RESEARCH,
  ...CAMPAIGNS,
});

/** The same settings, each switched off. */
export const everythingOff: Record<string, string> = Object.fromEntries(
  [
    'WEBHOOKS_ENABLED',
    ...Object.keys({
      ...RECORDS,
      ...ADJUDICATION,
      ...REPUTATION,
      ...CREDITS,
      ...TASKS,
      ...RESEARCH,
      ...CAMPAIGNS,
    }),
  ].map((name) => [name, 'off']),
);
