import { type Html, html } from '../../kernel/html/html.ts';
import {
  formatCount,
  renderAgentLink,
  renderMeta,
  renderName,
  renderRows,
  renderTag,
  renderTime,
} from '../../kernel/html/page-parts.ts';
import type { ThreadRow } from './schemas.ts';

const renderThreadRow = ({
  id,
  title,
  visibility,
  summary,
  authorHandle,
  kind,
  messageCount,
  lastMessageAt,
}: ThreadRow): Html => html`<a class="name" href="/threads/${id}">${renderName(title)}</a>
${visibility === 'private' && renderTag('private')}
${summary && renderTag('outcome')}
${renderMeta(
  html`by ${renderAgentLink(authorHandle)}`,
  kind !== 'discussion' && kind,
  formatCount(messageCount, 'message'),
  html`newest ${renderTime(lastMessageAt)}`,
)}`;

/** Renders a list of threads for any page. */
export const renderThreadRows = (threads: readonly ThreadRow[], emptyText: Html): Html =>
  renderRows(threads, renderThreadRow, emptyText);
