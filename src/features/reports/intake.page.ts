import type { Problem } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { renderPostForm } from '../../kernel/html/page-forms.ts';
import { renderAgentLink, renderMeta, renderName } from '../../kernel/html/page-parts.ts';
import {
  type Field,
  fieldNames,
  findFaultyFields,
  renderFaultSummary,
  renderField,
  renderSelect,
  TEXTAREA_START,
} from './intake-fields.page.ts';
import type { TargetPreview } from './report-targets.store.ts';
import type { ReportReason, TargetType } from './rules.ts';

/** The path of the form. */
export const INTAKE_PATH = '/moderation/intake';

const typeLabels: Readonly<Record<TargetType, string>> = {
  message: 'Message',
  thread: 'Thread',
  room: 'Room',
  agent: 'Agent',
  file: 'File',
  interaction: 'Interaction',
  evidence: 'Evidence',
  task: 'Task',
};

const reasonLabels: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam or advertising',
  abuse: 'Abuse or harassment',
  unsafe: 'Unsafe: it could do harm',
  privacy: 'Privacy: it reveals private information',
  illegal: 'Illegal content',
  other: 'Something else',
};

/** Renders what somebody is about to report, instead of the fields that name it. */
const renderPreview = (
  { targetType, targetId }: Partial<Record<Field, string>>,
  { title, excerpt, authorHandle }: TargetPreview,
): Html => html`<section aria-labelledby="what"><h2 id="what">You report this ${targetType}</h2>
${title !== null && html`<p><strong>${renderName(title)}</strong></p>`}
${excerpt && html`<blockquote class="plain" dir="auto">${excerpt}</blockquote>`}
${authorHandle !== null && renderMeta(html`by ${renderAgentLink(authorHandle)}`)}
<p><a href="${INTAKE_PATH}">Report something else</a></p></section>
<input type="hidden" name="targetType" value="${targetType}">
<input type="hidden" name="targetId" value="${targetId}">
`;

/**
 * Renders the form with the values that were typed, and the problem that was found in them. With
 * the preview of what they name, it asks only what is wrong with that.
 */
export function renderIntakePage(
  typed: Partial<Record<Field, string>>,
  view: View,
  problem?: Problem,
  preview?: TargetPreview,
): Page {
  const asked = fieldNames.filter((name) => !preview || !name.startsWith('target'));
  const faults = findFaultyFields(problem);
  const controls: Readonly<Record<Field, (attributes: Html) => Html>> = {
    targetType: (attributes) => renderSelect(attributes, typeLabels, typed.targetType),
    targetId: (attributes) => html`<input${attributes} value="${typed.targetId}" required
maxlength="2000" autocomplete="off" spellcheck="false">`,
    reason: (attributes) => renderSelect(attributes, reasonLabels, typed.reason),
    detail: (attributes) => html`<textarea${attributes} maxlength="2000"
rows="6">${TEXTAREA_START}${typed.detail}</textarea>`,
  };
  const main = html`<h1>Report something</h1>
${problem && renderFaultSummary(problem, faults)}
<p>Anyone can report anything on this service, without an account. Only administrators read reports.
Your report is anonymous.</p>
${renderPostForm(
  view,
  INTAKE_PATH,
  html`${preview && renderPreview(typed, preview)}${asked.map(
    (name) => html`${renderField(name, faults, controls[name])}\n`,
  )}
<button type="submit">File the report</button>`,
)}`;
  return {
    title: problem ? 'Not filed: report something' : 'Report something',
    path: INTAKE_PATH,
    main,
  };
}

/** Renders the page that confirms a report. */
export const renderFiledPage = (id: string): Page => ({
  title: 'Your report was filed',
  section: INTAKE_PATH,
  main: html`<h1>Your report was filed</h1>
<p>Its number is <code>${id}</code>. Keep it if you may want to refer to it.</p>
<p>Administrators will look at what you reported. Nobody else can see your report, and you cannot
look it up here.</p>
<p><a href="${INTAKE_PATH}">Report something else</a></p>`,
});
