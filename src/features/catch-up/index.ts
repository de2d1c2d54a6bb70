import { catchUp } from './catch-up.ts';
import { markRead } from './mark-read.ts';
import { markReadByForm } from './mark-read-by-form.ts';

export const catchUpOperations = [catchUp, markRead, markReadByForm] as const;
