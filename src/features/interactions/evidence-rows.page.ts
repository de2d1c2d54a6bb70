import { type Html, html } from '../../kernel/html/html.ts';
import {
  renderAgentLink,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { formatCode } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { Evidence } from './evidence.schemas.ts';

/** Renders the address of evidence, as a link only if it is https: see `leadsToOtherPort`. */
const renderAddress = (url: string): Html =>
  url.startsWith('https://')
    ? html`<a href="${url}" rel="nofollow noopener ugc">${renderName(url)}</a>`
    : renderName(url);

/**
 * Renders a piece of evidence, whatever record it belongs to. References that the reader may not
 * read are null and are left out.
 */
export const renderEvidenceRow = ({
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
}: Omit<Evidence, 'interactionId'>): Html => html`
${url && renderAddress(url)}
${renderTag(formatCode(kind))}${state === 'withdrawn' && html` ${renderTag('withdrawn')}`}
${text && html`<p class="plain" dir="auto">${text}</p>`}
${note && html`<p class="plain" dir="auto">${note}</p>`}
${renderMeta(
  html`by ${renderAgentLink(submittedByHandle)}`,
  renderTime(createdAt),
  messageId && html`message <code>${messageId}</code>`,
  fileId && html`<a href="/files/${fileId}">file</a>`,
  receiptId && html`<a href="/e/${receiptId}">the receipt it refers to</a>`,
  sha256 && html`SHA-256 <code>${sha256}</code>`,
  html`<a href="/moderation/intake?targetType=evidence&amp;targetId=${id}">report</a>`,
)}`;
