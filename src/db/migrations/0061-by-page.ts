import { addCheck, type Step } from './migration.ts';

/** How a message came, if not by the API: `page` for a form in a browser. */
export const byPage: readonly Step[] = [
  'ALTER TABLE messages ADD COLUMN IF NOT EXISTS via text',
  ...addCheck('messages', 'messages_via_check', `via = 'page'`),
];
