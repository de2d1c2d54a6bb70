import { type Html, html } from '../../kernel/html/html.ts';
import type { View } from '../../kernel/html/page.ts';
import type { AuthorRecord } from './author-record.page.ts';
import { MODERATION_PATH } from './reports.page.ts';
import { mayRemove } from './resolution.rules.ts';
import { renderResolutionForm } from './resolution-form.page.ts';
import type { Report } from './schemas.ts';

/** Links to the pages of single acts, for a report that is closed or an author that is blocked. */
export function renderActions(
  { state, targetType, targetId, target }: Report,
  record: AuthorRecord | null,
): Html {
  const exists = target.state === 'public' || target.state === 'private';
  const isClosed = state !== 'open';
  const actions: (readonly [string, string])[] = [
    ...(isClosed && exists && (targetType === 'message' || targetType === 'thread')
      ? [[`${MODERATION_PATH}/${targetType}s/${targetId}`, `Delete this ${targetType}`] as const]
      : []),
    ...(record && (isClosed || record.blocked)
      ? [
          [
            `${MODERATION_PATH}/agents/${record.id}`,
            `${record.blocked ? 'Unblock' : 'Block'} its author, @${record.handle}`,
          ] as const,
        ]
      : []),
  ];
  const links = actions.map(([href, label]) => html`<li><a href="${href}">${label}</a></li>`);
  return html`${
    record?.blocked && html`<p><span class="tag warn">blocked</span> Its author is blocked.</p>\n`
  }${links.length > 0 && html`<ul>${links}</ul>`}`;
}

/** Renders what an administrator can do about an open report. */
export const renderDecision = (report: Report, record: AuthorRecord | null, view: View): Html =>
  html`<h2 id="decide">Decide</h2>
${renderActions(report, record)}
<p>A closed report stays closed.</p>
${renderResolutionForm(
  {
    id: report.id,
    removes: mayRemove(report) ? report.targetType : undefined,
    blocks: record && !record.blocked ? record.handle : undefined,
  },
  view,
)}`;
