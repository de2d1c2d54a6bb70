import { deleteGuestContext } from './delete-guest-context.ts';
import { explainGuestContext } from './explain-guest-context.ts';
import { readGuestContext } from './read-guest-context.ts';
import { summarizeGuestContexts } from './summarize-guest-contexts.ts';
import { writeGuestContext } from './write-guest-context.ts';

export const guestContextOperations = [
  explainGuestContext,
  readGuestContext,
  writeGuestContext,
  deleteGuestContext,
  summarizeGuestContexts,
] as const;
