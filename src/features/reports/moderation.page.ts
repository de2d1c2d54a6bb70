import { formatAdministrator } from '../../kernel/html/administrator-name.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import {
  renderAgentLink,
  renderFacts,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import { type AuthorRecord, renderAuthorRecord } from './author-record.page.ts';
import { renderActions, renderDecision } from './report-decision.page.ts';
import { formatTitle, MODERATION_PATH, renderReporter, toReportPath } from './reports.page.ts';
import { renderClosedNote } from './resolution.page.ts';
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

/** Renders who wrote what was reported, where that is known. An agent is not by anybody. */
function renderAuthor({ targetType, target: { authorHandle } }: Report): Html | null {
  if (!authorHandle) return null;
  const link = renderAgentLink(authorHandle);
  return targetType === 'agent' ? link : html`by ${link}`;
}

/** What is known besides a report. */
export interface ReportContext {
  /** The interaction that reported evidence belongs to. */
  readonly interactionId: string | null;
  /** Null if administrators may not know the author. */
  readonly record: AuthorRecord | null;
  /** The report that was closed just before. */
  readonly closed: Report | undefined;
}

/** Renders one report with its target, the record of its author and the form that closes it. */
export function renderReportPage(
  report: Report,
  { interactionId, record, closed }: ReportContext,
  view: View,
): Page {
  const { target } = report;
  const publicPath = findPublicPath(report, interactionId);
  const link = publicPath && html` <a href="${publicPath}">Open its page</a>`;
  const facts = renderMeta(
    renderAuthor(report),
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
    wide: true,
    main: html`${renderClosedNote(closed)}<p class="meta"><a
href="${MODERATION_PATH}">Moderation</a></p>
<h1>${renderName(formatTitle(report))}</h1>
${facts}
<div class="cols"><div>
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
          html`${renderTime(report.resolvedAt)} by ${formatAdministrator(report.resolvedBy ?? '')}`,
        ] as const,
        ['Why', report.resolution ?? 'no reason given'] as const,
      ]
    : []),
])}
${report.state === 'open' ? renderDecision(report, record, view) : renderActions(report, record)}
</div>
${record && renderAuthorRecord(record)}</div>`,
  };
}
