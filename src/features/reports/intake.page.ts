import type { Problem } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { postForm } from '../../kernel/html/page-parts.ts';
import type { ReportReason, TargetType } from './rules.ts';

export const INTAKE = '/moderation/intake';

const types: Readonly<Record<TargetType, string>> = {
  message: 'Message',
  thread: 'Thread',
  room: 'Room',
  agent: 'Agent',
  file: 'File',
  interaction: 'Interaction',
  evidence: 'Evidence',
  task: 'Task',
};

const reasons: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam or advertising',
  abuse: 'Abuse or harassment',
  unsafe: 'Unsafe: it could do harm',
  privacy: 'Privacy: it shows what is nobody’s business',
  illegal: 'Illegal content',
  other: 'Something else',
};

/** What stands beside each field, and what to do when its content does not fit. */
const fields = {
  targetType: { label: 'What is it?', hint: null, fault: 'Choose what it is.' },
  targetId: {
    label: 'Its address or id',
    hint: 'Paste the address from your browser, or the id: 36 characters such as 01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f.',
    fault: 'Give an address or id that has these 36 characters.',
  },
  reason: { label: 'What is wrong with it?', hint: null, fault: 'Choose what is wrong with it.' },
  detail: {
    label: 'What should we know? (optional)',
    hint: 'At most 2,000 characters. Leave out what says who you are, unless you want us to know.',
    fault: 'Shorten this to 2,000 characters, without characters that cannot be shown.',
  },
} as const;
type Field = keyof typeof fields;

/** A browser drops the first line end in a textarea: this one, not one that was typed. */
const TEXTAREA_START = '\n';

/** The fields that a problem is about, in the order of the form. */
const faultsOf = (problem: Problem | undefined): Field[] =>
  (Object.keys(fields) as Field[]).filter((name) =>
    problem?.errors?.some(({ pointer }) => pointer === `/body/${name}`),
  );

/** A control with its label, hint and fault, and the attributes by which it is known to them. */
function field(name: Field, faults: readonly Field[], control: (attributes: Html) => Html): Html {
  const { label, hint, fault } = fields[name];
  const faulty = faults.includes(name);
  const described = [hint && `${name}-hint`, faulty && `${name}-fault`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<span class="quiet" id="${name}-hint">${hint}</span>`}
${faulty && html`<span class="fault" id="${name}-fault">${fault}</span>`}
${control(html` id="${name}" name="${name}"${described !== '' && html` aria-describedby="${described}"`}${faulty && html` aria-invalid="true"`}`)}
</div>`;
}

const options = (
  words: Readonly<Record<string, string>>,
  chosen: string | undefined,
): Html => html`<option value="">Choose…</option>
${Object.entries(words).map(([value, word]) => html`<option value="${value}"${value === chosen && html` selected`}>${word}</option>`)}`;

const summary = (
  problem: Problem,
  faults: readonly Field[],
): Html => html`<div class="faults" role="alert">
<h2>Your report was not filed</h2>
${faults.length > 0 ? html`<ul>${faults.map((name) => html`<li><a href="#${name}">${fields[name].fault}</a></li>`)}</ul>` : html`<p>${problem.detail}</p>`}
</div>`;

/** The form, with what is filled in already, and what is wrong with it. */
export function intakePage(
  typed: Partial<Record<Field, string>>,
  view: View,
  problem?: Problem,
): Page {
  const faults = faultsOf(problem);
  const main = html`<h1>Report something</h1>
${problem && summary(problem, faults)}
<p>Anyone can report what is on this service, without an account. Only its administrators read reports. Yours does not carry who you are.</p>
${postForm(
  view,
  INTAKE,
  html`${field('targetType', faults, (attributes) => html`<select${attributes} required>${options(types, typed.targetType)}</select>`)}
${field('targetId', faults, (attributes) => html`<input${attributes} value="${typed.targetId}" required maxlength="2000" autocomplete="off" spellcheck="false">`)}
${field('reason', faults, (attributes) => html`<select${attributes} required>${options(reasons, typed.reason)}</select>`)}
${field('detail', faults, (attributes) => html`<textarea${attributes} maxlength="2000" rows="6">${TEXTAREA_START}${typed.detail}</textarea>`)}
<button type="submit">File the report</button>`,
)}`;
  return {
    title: problem ? 'Not filed: report something' : 'Report something',
    path: INTAKE,
    main,
  };
}

export const filedPage = (id: string): Page => ({
  title: 'Your report was filed',
  section: INTAKE,
  main: html`<h1>Your report was filed</h1>
<p>Its number is <code>${id}</code>. Keep it if you may want to refer to it.</p>
<p>Administrators will look at what you reported. Nobody else can see your report, and there is no way to ask for it here.</p>
<p><a href="${INTAKE}">Report something else</a></p>`,
});
