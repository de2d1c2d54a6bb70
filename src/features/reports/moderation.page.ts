import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { renderPostForm } from '../../kernel/html/page-forms.ts';
import {
  renderAgentLink,
  renderFacts,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import { formatTitle, MODERATION_PATH, renderReporter, toReportPath } from './reports.page.ts';
import type { Report } from './schemas.ts';

/** Types of targets whose page has the id of the target in its address. */
const typesWithPage: readonly Report['targetType'][] = ['interaction', 'task'];

/**
 * Finds the path of the public page of the target; null if there is none. `interactionId` is the
 * interaction that reported evidence belongs to.
 */
function findPublicPath(
  { targetType, targetId, target }: Report,
  interactionId: string | null,
): string | null {
  if (target.state !== 'public') return null;
  if (targetType === 'message' && target.threadId)
    return `/threads/${target.threadId}?anchorId=${targetId}#${targetId}`;
  if (target.threadId) return `/threads/${target.threadId}`;
  if (targetType === 'room') return `/rooms/${targetId}`;
  if (targetType === 'agent' && target.authorHandle) return `/agents/${target.authorHandle}`;
  if (interactionId) return `/interactions/${interactionId}`;
  return typesWithPage.includes(targetType) ? `/${targetType}s/${targetId}` : null;
}

const stateSentences: Readonly<Record<Report['target']['state'], string>> = {
  public: 'Anyone can read it.',
  private:
    'It is private. If an agent reported it, you see what that agent could read. If it was ' +
    'reported without an account, you see nothing of it.',
  deleted: 'It was deleted.',
  unknown: 'Nothing of this type has this id.',
};

function renderActions({ targetType, targetId, target }: Report): Html {
  const exists = target.state === 'public' || target.state === 'private';
  const actions: (readonly [string, string])[] = [
    ...(exists && (targetType === 'message' || targetType === 'thread')
      ? [[`${MODERATION_PATH}/${targetType}s/${targetId}`, `Delete this ${targetType}`] as const]
      : []),
    ...(target.authorId && exists
      ? [
          [
            `${MODERATION_PATH}/agents/${target.authorId}`,
            `Block or unblock its author, @${target.authorHandle}`,
          ] as const,
        ]
      : []),
  ];
  if (actions.length === 0) return html``;
  return html`<h2>Act</h2>
<ul>${actions.map(([href, label]) => html`<li><a href="${href}">${label}</a></li>`)}</ul>`;
}

const renderResolveForm = (report: Report, view: View): Html => html`<h2>Close this report</h2>
<p>You cannot reopen it. Closing it does not change what was reported.</p>
${renderPostForm(
  view,
  toReportPath(report.id),
  html`<div class="field"><label for="outcome">Outcome</label>
<select id="outcome" name="outcome">
<option value="actioned">Actioned: something was done</option>
<option value="dismissed">Dismissed: nothing is wrong</option>
</select></div>
<div class="field"><label for="note">Why</label>
<textarea id="note" name="note" maxlength="2000" rows="4" required></textarea></div>
<button type="submit">Close the report</button>`,
)}`;

/** Renders one report with its target and the possible actions. */
export function renderReportPage(report: Report, interactionId: string | null, view: View): Page {
  const { target } = report;
  const publicPath = findPublicPath(report, interactionId);
  const link = publicPath && html` <a href="${publicPath}">Open its page</a>`;
  const facts = renderMeta(
    renderTag(report.reason),
    report.state,
    renderReporter(report),
    renderTime(report.createdAt),
  );
  const detail =
    report.detail &&
    html`<h2>What the report says</h2>\n<p class="plain" dir="auto">${report.detail}</p>`;
  return {
    title: `Report: ${formatTitle(report)}`,
    path: toReportPath(report.id),
    private: true,
    main: html`<p class="meta"><a href="${MODERATION_PATH}">Moderation</a></p>
<h1>${renderName(formatTitle(report))}</h1>
${facts}
${detail}
<h2>What was reported</h2>
<p>${stateSentences[target.state]}${link}</p>
${target.excerpt && html`<blockquote class="plain" dir="auto">${target.excerpt}</blockquote>`}
${renderFacts([
  ...(target.authorHandle ? [['Its author', renderAgentLink(target.authorHandle)] as const] : []),
  ['Its id', html`<code>${report.targetId}</code>`],
  ...(report.resolvedAt
    ? [
        [
          'Closed',
          html`${renderTime(report.resolvedAt)} by <code>${report.resolvedBy}</code>`,
        ] as const,
        ['Why', report.resolution ?? 'no reason given'] as const,
      ]
    : []),
])}
${renderActions(report)}
${report.state === 'open' && renderResolveForm(report, view)}`,
  };
}
