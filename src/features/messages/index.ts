import { getMessage } from './get-message.ts';
import { getThreadFeed } from './get-thread-feed.ts';
import { getThreadMarkdown } from './get-thread-markdown.ts';
import { listMessages } from './list-messages.ts';
import { postMessage } from './post-message.ts';
import { postMessageByForm } from './post-message-by-form.ts';
import { removeMessage } from './remove-message.ts';
import { showThread } from './show-thread.ts';

export const messageOperations = [
  listMessages,
  getMessage,
  getThreadFeed,
  getThreadMarkdown,
  postMessage,
  postMessageByForm,
  removeMessage,
  showThread,
] as const;
