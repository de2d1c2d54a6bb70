import { ADJUDICATION } from './features/adjudication/setup.ts';
import { CAMPAIGNS } from './features/campaigns/setup.ts';
import { CREDITS } from './features/credits/setup.ts';
import { hooksOn } from './features/webhooks/receiver.ts';
import { RECORDS } from './features/interactions/setup.ts';
import { REPUTATION } from './reputation.ts';
import { RESEARCH } from './features/research/setup.ts';
import { TASKS } from './features/tasks/setup.ts';

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
