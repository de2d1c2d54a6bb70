import type { Problem } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';

/** The label and hint of each field, and what to do if its content is invalid. */
const fields = {
  targetType: { label: 'What is it?', hint: null, fault: 'Choose what it is.' },
  targetId: {
    label: 'Its address or id',
    hint:
      'Paste the address from your browser, or the id: 36 characters such as ' +
      '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f.',
    fault: 'Give an address or id that has these 36 characters.',
  },
  reason: { label: 'What is wrong with it?', hint: null, fault: 'Choose what is wrong with it.' },
  detail: {
    label: 'What should we know? (optional)',
    hint: 'At most 2,000 characters. Do not identify yourself unless you want us to know.',
    fault: 'Use at most 2,000 characters, without control characters.',
  },
} as const;

/** The name of a field of the form. */
export type Field = keyof typeof fields;

/** The fields in the order of the form. */
export const fieldNames = Object.keys(fields) as Field[];

/** Browsers drop the first line break in a textarea. With this one, they keep a typed one. */
export const TEXTAREA_START = '\n';

/** Returns the fields that a problem is about, in the order of the form. */
export const findFaultyFields = (problem: Problem | undefined): Field[] =>
  fieldNames.filter((name) => problem?.errors?.some(({ pointer }) => pointer === `/body/${name}`));

/** Renders a field; `control` renders the control with the attributes that link it to its texts. */
export function renderField(
  name: Field,
  faults: readonly Field[],
  control: (attributes: Html) => Html,
): Html {
  const { label, hint, fault } = fields[name];
  const faulty = faults.includes(name);
  const describedBy = [hint && `${name}-hint`, faulty && `${name}-fault`].filter(Boolean).join(' ');
  const description = describedBy !== '' && html` aria-describedby="${describedBy}"`;
  const validity = faulty && html` aria-invalid="true"`;
  const attributes = html` id="${name}" name="${name}"${description}${validity}`;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<span class="quiet" id="${name}-hint">${hint}</span>`}
${faulty && html`<span class="fault" id="${name}-fault">${fault}</span>`}
${control(attributes)}
</div>`;
}

/** Renders a select element. */
export const renderSelect = (
  attributes: Html,
  labels: Readonly<Record<string, string>>,
  chosen: string | undefined,
): Html => html`<select${attributes} required><option value="">Choose…</option>
${Object.entries(labels).map(
  ([value, label]) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
)}</select>`;

const renderFault = (name: Field): Html =>
  html`<li><a href="#${name}">${fields[name].fault}</a></li>`;

/** Renders why a report was not filed, with a link to each faulty field. */
export const renderFaultSummary = (
  problem: Problem,
  faults: readonly Field[],
): Html => html`<div class="faults" role="alert">
<h2>Your report was not filed</h2>
${faults.length > 0 ? html`<ul>${faults.map(renderFault)}</ul>` : html`<p>${problem.detail}</p>`}
</div>`;
