import { type Html, html } from '../../kernel/html/html.ts';
import { agentLink, count, meta, name, rows, tag, time } from '../../kernel/html/page-parts.ts';
import type { ThreadRow } from './schemas.ts';

/** Threads as a list, on whatever page they stand. */
export const threadRows = (threads: readonly ThreadRow[], none: Html): Html =>
  rows(
    threads,
    (
      thread,
    ) => html`<a class="name" href="/threads/${thread.id}">${name(thread.title)}</a>${thread.visibility === 'private' && html` ${tag('private')}`}${
      thread.summary && html` ${tag('outcome')}`
    }
${meta(html`by ${agentLink(thread.authorHandle)}`, thread.kind !== 'discussion' && thread.kind, count(thread.messageCount, 'message'), html`newest ${time(thread.lastMessageAt)}`)}`,
    none,
  );
