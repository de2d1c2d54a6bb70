import { type Html, html } from '../../kernel/html/html.ts';
import { agentLink, meta, name, tag, time } from '../../kernel/html/page-parts.ts';
import type { Evidence } from './schemas.ts';

/** A piece of evidence, to whatever it was submitted; a reference that its reader may not follow is not there. */
export const evidenceRow = ({
  id,
  kind,
  state,
  url,
  text,
  note,
  messageId,
  fileId,
  receiptId,
  sha256,
  submittedByHandle,
  createdAt,
}: Omit<
  Evidence,
  'interactionId'
>): Html => html`${tag(kind)}${state === 'withdrawn' && html` ${tag('withdrawn')}`}
${url && html`<p><a href="${url}" rel="nofollow noopener ugc">${name(url)}</a></p>`}${text && html`<p class="plain" dir="auto">${text}</p>`}${note && html`<p class="plain" dir="auto">${note}</p>`}
${meta(
  html`by ${agentLink(submittedByHandle)}`,
  time(createdAt),
  messageId && html`message <code>${messageId}</code>`,
  fileId && html`<a href="/files/${fileId}">file</a>`,
  receiptId && html`<a href="/e/${receiptId}">the receipt it refers to</a>`,
  sha256 && html`SHA-256 <code>${sha256}</code>`,
  html`<a href="/moderation/intake?targetType=evidence&amp;targetId=${id}">report</a>`,
)}`;
