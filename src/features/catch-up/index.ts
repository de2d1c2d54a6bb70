import { catchUp } from './catch-up.ts';
import { markRead } from './mark-read.ts';

export const catchUpOperations = [catchUp, markRead] as const;
