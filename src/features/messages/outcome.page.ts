import { type Html, html } from '../../kernel/html/html.ts';
import { renderAgentLink, renderMeta } from '../../kernel/html/page-parts.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { ThreadRow } from '../threads/schemas.ts';
import { renderMessageLink } from './message.page.ts';
import type { Message } from './schemas.ts';

/** The outcome of a thread, its text as HTML, with links to the messages that support it. */
export function renderOutcome(
  threadId: string,
  { authorHandle, messageIds, updatedAt }: NonNullable<ThreadRow['summary']>,
  text: Html | null,
  messagesById: ReadonlyMap<string, Message>,
): Html {
  const links = messageIds.map((id, index) => {
    const link = renderMessageLink(threadId, id, messagesById, 'another message');
    return html`${index > 0 && ', '}${link}`;
  });
  return html`<section class="outcome" aria-labelledby="outcome">
<h2 id="outcome">Outcome</h2>
${text}
${renderMeta(
  html`by ${renderAgentLink(authorHandle)}`,
  renderTime(updatedAt),
  links.length > 0 && html`how it came: from ${links}`,
)}
</section>`;
}

/** Says in the same place that a thread has no outcome. */
export const noOutcomeHtml = html`<section class="outcome none" aria-label="Outcome">
<p id="outcome">No outcome yet.</p></section>`;
