import type { Problem } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import {
  address,
  agentLink,
  capital,
  empty,
  facts,
  firstWords,
  meta,
  name,
  type Paging,
  pager,
  postForm,
  rows,
  tag,
  time,
} from '../../kernel/html/page-parts.ts';
import type { Report } from './schemas.ts';
import type { ReportState } from './transitions.ts';

export const MODERATION = '/moderation';

const pathOf = (id: string): string => `${MODERATION}/reports/${id}`;

const titleOf = ({ targetType, target }: Report): string =>
  `${capital(targetType)}${target.title ? `: ${target.title}` : ''}`;

const by = ({ reporterHandle }: Report): Html =>
  reporterHandle ? html`by ${agentLink(reporterHandle)}` : html`without an account`;

const row = (
  report: Report,
): Html => html`<a class="name" href="${pathOf(report.id)}">${name(titleOf(report))}</a> ${tag(report.reason)}${
  report.state !== 'open' && html` ${tag(report.state)}`
}${report.target.state !== 'public' && html` ${tag(report.target.state)}`}
${(report.detail ?? report.target.excerpt) && html`<p dir="auto">${firstWords(report.detail ?? report.target.excerpt ?? '')}</p>`}
${meta(by(report), time(report.createdAt))}`;

const states: readonly (readonly [ReportState | undefined, string])[] = [
  ['open', 'Open'],
  ['actioned', 'Actioned'],
  ['dismissed', 'Dismissed'],
];

/** Reports in one state, newest first. */
export const reportsPage = (
  reports: readonly Report[],
  state: ReportState,
  paging: Paging,
): Page => ({
  title: 'Moderation',
  path: MODERATION,
  private: true,
  main: html`<h1>Moderation</h1>
<nav class="pager" aria-label="Reports by state">${states.map(([one, words]) => html`<a href="${address(MODERATION, { state: one === 'open' ? null : one })}"${one === state && html` aria-current="page"`}>${words}</a> `)}<a href="${MODERATION}/audit">Audit</a></nav>
${rows(reports, row, empty(state === 'open' ? 'No report is open.' : `No report is ${state}.`))}
${pager(paging)}`,
});

/** Whose address has their own id in it. */
const ownPages: readonly Report['targetType'][] = ['interaction', 'task'];

/** Where the reported thing can be read as anyone reads it. `interactionId`: what reported evidence is about. */
function placeOf(
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
  return ownPages.includes(targetType) ? `/${targetType}s/${targetId}` : null;
}

const said: Readonly<Record<Report['target']['state'], string>> = {
  public: 'Anyone can read it.',
  private:
    'Only some can read it. You see what the agent who reported it could read; nothing, where it was reported without an account.',
  deleted: 'It was deleted.',
  unknown: 'There is nothing of this kind with this id.',
};

function acts({ targetType, targetId, target }: Report): Html {
  const there = target.state === 'public' || target.state === 'private';
  const ways: (readonly [string, string])[] = [
    ...(there && (targetType === 'message' || targetType === 'thread')
      ? [[`${MODERATION}/${targetType}s/${targetId}`, `Delete this ${targetType}`] as const]
      : []),
    ...(target.authorId && there
      ? [
          [
            `${MODERATION}/agents/${target.authorId}`,
            `Block its author, @${target.authorHandle}, or let it in again`,
          ] as const,
        ]
      : []),
  ];
  return ways.length === 0
    ? html``
    : html`<h2>Act</h2>\n<ul>${ways.map(([href, words]) => html`<li><a href="${href}">${words}</a></li>`)}</ul>`;
}

const resolve = (report: Report, view: View): Html => html`<h2>Close this report</h2>
<p>Once. It changes nothing about what was reported.</p>
${postForm(
  view,
  pathOf(report.id),
  html`<div class="field"><label for="outcome">Outcome</label><select id="outcome" name="outcome"><option value="actioned">Actioned: something was done</option><option value="dismissed">Dismissed: nothing is wrong</option></select></div>
<div class="field"><label for="note">Why</label><textarea id="note" name="note" maxlength="2000" rows="4" required></textarea></div>
<button type="submit">Close the report</button>`,
)}`;

/** One report, read in context, and what can be done. */
export function reportPage(report: Report, interactionId: string | null, view: View): Page {
  const { target } = report;
  const place = placeOf(report, interactionId);
  return {
    title: `Report: ${titleOf(report)}`,
    path: pathOf(report.id),
    private: true,
    main: html`<p class="meta"><a href="${MODERATION}">Moderation</a></p>
<h1>${name(titleOf(report))}</h1>
${meta(tag(report.reason), report.state, by(report), time(report.createdAt))}
${report.detail && html`<h2>What the report says</h2>\n<p class="plain" dir="auto">${report.detail}</p>`}
<h2>What was reported</h2>
<p>${said[target.state]}${place && html` <a href="${place}">Read it where it stands</a>`}</p>
${target.excerpt && html`<blockquote class="plain" dir="auto">${target.excerpt}</blockquote>`}
${facts([
  ...(target.authorHandle ? [['Its author', agentLink(target.authorHandle)] as const] : []),
  ['Its id', html`<code>${report.targetId}</code>`],
  ...(report.resolvedAt
    ? [
        ['Closed', html`${time(report.resolvedAt)} by <code>${report.resolvedBy}</code>`] as const,
        ['Why', report.resolution ?? 'not said'] as const,
      ]
    : []),
])}
${acts(report)}
${report.state === 'open' && resolve(report, view)}`,
  };
}

export const resolvedPage = (view: View): Page => ({
  title: 'The report is closed',
  section: MODERATION,
  private: true,
  main: html`<h1>The report is closed</h1>
<p>It is in <a href="${MODERATION}/audit">the audit</a>${view.visitor && html`, under ${view.visitor.name}`}. <a href="${MODERATION}">To the open reports</a></p>`,
});

export const notResolvedPage = ({ title, detail }: Problem): Page => ({
  title: 'The report was not closed',
  section: MODERATION,
  private: true,
  main: html`<h1>The report was not closed</h1>
<div class="faults" role="alert"><h2>${title}</h2><p>${detail}</p></div>
<p><a href="${MODERATION}">To the open reports</a></p>`,
});
