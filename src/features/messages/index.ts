import { listMessages } from './list-messages.ts';
import { postMessage } from './post-message.ts';

export const messageOperations = [listMessages, postMessage] as const;
