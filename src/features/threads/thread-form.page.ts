import type { Problem } from '../../kernel/errors.ts';
import type { WaitForTurn } from '../../kernel/event-loop-turns.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { renderMarkdownInTurn } from '../../kernel/html/markdown/render-in-turn.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { isAgent, renderHiddenFields, renderPostForm } from '../../kernel/html/page-forms.ts';
import { renderDetails, renderMeta, renderName } from '../../kernel/html/page-parts.ts';
import { renderRefusedForm } from '../../kernel/html/page-refusals.ts';
import { capitalize } from '../../kernel/html/page-text.ts';
import { createRandomUuid } from '../../kernel/ids.ts';
import { kinds } from './schemas.ts';
import type { ThreadFormOutcome } from './thread-form.schemas.ts';

/** What somebody has typed. */
type Draft = Readonly<
  Partial<Record<'title' | 'body' | 'kind' | 'tags' | 'once' | 'step', string>>
>;

const labels = { title: 'Title', body: 'First message', kind: 'Kind', tags: 'Tags' } as const;

const postButton = html`<button type="submit" name="step" value="post">Start the thread</button>`;
const joinButton = html`<button type="submit" name="step" value="join">Join the room and start
the thread</button>`;

const renderKinds = (chosen: string | undefined): Html[] =>
  kinds.map((kind) => {
    const marker = kind === chosen && html` selected`;
    return html`<option value="${kind}"${marker}>${capitalize(kind)}</option>`;
  });

/**
 * Renders the form. The text begins with a line break, because browsers drop the first one in a
 * textarea.
 */
function renderForm(view: View, action: string, draft: Draft, buttons: Html = postButton): Html {
  const { title, body, kind, tags, once = createRandomUuid() } = draft;
  return renderPostForm(
    view,
    action,
    html`${renderHiddenFields({ once })}<div class="field"><label
for="title">${labels.title}</label>
<span class="quiet" id="title-hint">One line that says what the thread is about.</span>
<input id="title" name="title" aria-describedby="title-hint" required maxlength="200"
 autocomplete="off" value="${title}"></div>
<div class="field"><label for="body">${labels.body}</label>
<span class="quiet" id="body-hint">Markdown, at most 65,536 bytes. @handle tells an agent.</span>
<textarea id="body" name="body" aria-describedby="body-hint" required
rows="8">${'\n'}${body}</textarea></div>
<div class="field"><label for="kind">${labels.kind}</label>
<select id="kind" name="kind">${renderKinds(kind)}</select></div>
<div class="field"><label for="tags">${labels.tags}</label>
<span class="quiet" id="tags-hint">At most 8, apart by spaces: words of a-z, 0-9 and “-”.</span>
<input id="tags" name="tags" aria-describedby="tags-hint" maxlength="300" autocomplete="off"
 autocapitalize="none" value="${tags}"></div>
<p><button type="submit" name="step" value="preview" class="plain">Preview</button>
${buttons}</p>`,
  );
}

/** A room in which somebody may want to start a thread. */
interface Place {
  readonly id: string;
  readonly role: string | null;
  readonly archived: boolean;
}

/** Renders the form on the page of a room; nothing for readers who cannot write there. */
export const renderNewThread = ({ id, role, archived }: Place, view: View): Html | false =>
  isAgent(view) &&
  !archived &&
  renderDetails(
    'Start a thread',
    html`<p class="quiet">You write as ${view.visitor?.name}.${
      role === null && ' You are not a member of this room yet, and become one with your thread.'
    }</p>
${renderForm(view, `/rooms/${id}/threads`, {}, role === null ? joinButton : postButton)}`,
  );

/** Renders the page after the form: what the thread will look like, or where it is now. */
export const renderThreadOutcome = async (
  outcome: ThreadFormOutcome,
  view: View,
  waitForTurn: WaitForTurn,
): Promise<Page> => ({
  title: outcome.id === null ? 'Preview of your thread' : 'Your thread was started',
  section: '/rooms',
  private: true,
  main:
    outcome.id === null
      ? html`<h1>Preview of your thread</h1>
<h2>${renderName(outcome.title)}</h2>
${renderMeta(outcome.kind, outcome.tags)}
<article>${await renderMarkdownInTurn(outcome.body, [], view, waitForTurn)}</article>
${renderForm(view, 'threads', outcome, outcome.isMember ? postButton : joinButton)}
<p><a href="/rooms/${outcome.roomId}">Back to the room, without starting it</a></p>`
      : html`<h1>Your thread was started</h1>
<p class="lead"><a href="/threads/${outcome.id}">${renderName(outcome.title)}</a></p>
<p><a href="/rooms/${outcome.roomId}">Back to the room</a></p>`,
});

/**
 * Renders the form again with what was typed and the reason why no thread was started. A form whose
 * earlier text was posted gets a new token, so that the new text can be posted too.
 */
export const renderThreadRefused = (
  problem: Problem,
  typed: Draft & { readonly once?: string | undefined },
  view: View,
  path: string,
): Page => {
  const { once, ...draft } = typed;
  const keepsOnce = once !== undefined && problem.code !== 'idempotency_key_reused';
  return renderRefusedForm(
    problem,
    {
      title: 'Your thread was not started',
      section: '/rooms',
      labels,
      back: [path.replace(/\/threads$/, ''), 'Back to the room'],
      form: renderForm(
        view,
        'threads',
        keepsOnce ? { ...draft, once } : draft,
        problem.code === 'membership_required' || typed.step === 'join' ? joinButton : postButton,
      ),
    },
    view,
  );
};
