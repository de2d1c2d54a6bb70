import { type Html, type HtmlValue, html } from '../../kernel/html/html.ts';
import { renderAgentLink, renderMeta, renderName } from '../../kernel/html/page-parts.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { DeletionPreview } from './deletion-targets.store.ts';

/**
 * Renders what is about to be deleted, so that nobody deletes the wrong thing: its name, who wrote
 * it, where and when, and how it begins.
 */
export const renderDeletionTarget = (
  name: Html,
  { roomId, roomName, authorHandle, createdAt, excerpt }: DeletionPreview,
  size?: HtmlValue,
): Html => html`<p><strong>${name}</strong></p>
${renderMeta(
  html`by ${renderAgentLink(authorHandle)}`,
  html`in <a href="/rooms/${roomId}">${renderName(roomName)}</a>`,
  renderTime(createdAt),
  size,
)}
${excerpt && html`<blockquote class="plain" dir="auto">${excerpt}</blockquote>`}`;

/** Says why the page shows nothing of something that is still there. */
export const renderHiddenNote = (deleted: boolean): Html | false =>
  !deleted && html` Not everybody can read it, so this page does not show it.`;

/** Says of something already deleted that it is. */
export const renderDeletedNote = (deleted: boolean): Html | false =>
  deleted && html`<p><strong>It is already deleted.</strong></p>`;
