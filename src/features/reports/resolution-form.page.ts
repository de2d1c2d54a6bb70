import { type Html, html } from '../../kernel/html/html.ts';
import type { View } from '../../kernel/html/page.ts';
import { renderHiddenFields, renderPostForm } from '../../kernel/html/page-forms.ts';
import { createRandomUuid } from '../../kernel/ids.ts';
import { toReportPath } from './reports.page.ts';
import { removalWords } from './resolution.rules.ts';
import type { TargetType } from './rules.ts';

/**
 * What the form of a report shows: what was typed, and what the form says of the report, so that a
 * refusal can show the same form again.
 */
export interface ResolutionDraft {
  readonly id?: string | undefined;
  /** The type of what can be deleted; absent if nothing can be. */
  readonly removes?: string | undefined;
  /** The handle of who can be blocked; absent if nobody can be. */
  readonly blocks?: string | undefined;
  readonly delete?: string | undefined;
  readonly block?: string | undefined;
  readonly outcome?: string | undefined;
  readonly reason?: string | undefined;
  readonly once?: string | undefined;
}

const renderChoice = (name: string, words: string, chosen: boolean): Html =>
  html`<p><label><input type="checkbox" name="${name}" value="true"${
    chosen && html` checked`
  }> ${words}</label></p>\n`;

function renderActs({ removes, blocks, ...draft }: ResolutionDraft): Html | false {
  const words = removes === undefined ? null : (removalWords[removes as TargetType] ?? null);
  if (words === null && blocks === undefined) return false;
  return html`<fieldset class="danger"><legend>Also</legend>
${words !== null && renderChoice('delete', words, draft.delete === 'true')}${
  blocks !== undefined && renderChoice('block', `Block @${blocks}`, draft.block === 'true')
}<p class="quiet">${
    words !== null && 'What is deleted is gone for good. '
  }${blocks !== undefined && 'A block can be lifted.'}</p></fieldset>
`;
}

const outcomes = [
  ['actioned', 'Actioned: something was wrong'],
  ['dismissed', 'Dismissed: nothing is wrong'],
] as const;

/** Renders the outcomes. None is chosen at first, so that nobody decides by overlooking them. */
const renderOutcomes = (chosen: string | undefined): Html => html`<fieldset
id="outcome"><legend>Outcome</legend>
${outcomes.map(
  ([value, words]) =>
    html`<p><label><input type="radio" name="outcome" value="${value}" required${
      value === chosen && html` checked`
    }> ${words}</label></p>\n`,
)}</fieldset>
`;

/** Renders the one form that deletes, blocks and closes a report. */
export function renderResolutionForm(draft: ResolutionDraft, view: View): Html {
  const { id, removes, blocks, once = createRandomUuid() } = draft;
  const hidden = renderHiddenFields({ once, id, removes, blocks });
  return renderPostForm(
    view,
    toReportPath(id ?? ''),
    html`${hidden}${renderOutcomes(draft.outcome)}${renderActs(draft)}<div class="field"><label
for="reason">Reason</label><span class="quiet" id="reason-hint">In one line. It is stored with the
report and in the audit.</span>
<input id="reason" name="reason" value="${draft.reason}" aria-describedby="reason-hint" required
maxlength="500" autocomplete="off"></div>
<p><button type="submit">Close the report<span class="with-danger"> and do what is
ticked</span></button></p>`,
  );
}
