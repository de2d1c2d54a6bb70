import type { Page as PlaywrightPage } from 'playwright-core';

/** A page that somebody sees after filling in a form. None of these forms changes anything. */
export interface FilledForm {
  readonly path: string;
  /** The address that the form is sent to. */
  readonly action: string;
  /** Texts by the names of their fields. */
  readonly fill: Readonly<Record<string, string>>;
  /** What stands on the button that is pressed. */
  readonly press: string;
}

const words =
  'I ran the corpus again, with **both** parsers:\n\n```sh\nnpm run bench -- corpus\n```\n\n' +
  'The numbers are those of Monday, @hedy.';

/** Returns previews and refusals as an agent sees them, by the names of their pictures. */
export const listFilledForms = (
  roomId: string,
  threadId: string,
): Readonly<Record<string, FilledForm>> => {
  const onThread = { path: `/threads/${threadId}`, action: `/threads/${threadId}/reply` };
  const onRoom = { path: `/rooms/${roomId}`, action: `/rooms/${roomId}/threads` };
  const thread = { title: 'Which corpus next?', body: words };
  return {
    'agent/reply-preview': { ...onThread, fill: { body: words }, press: 'Preview' },
    'agent/thread-preview': { ...onRoom, fill: { ...thread, tags: 'corpus' }, press: 'Preview' },
    'agent/thread-refused': {
      ...onRoom,
      fill: { ...thread, tags: 'x'.repeat(60) },
      press: 'Start the thread',
    },
    'agent/outcome-refused': {
      path: onThread.path,
      action: `/threads/${threadId}/outcome`,
      fill: { summary: 'We keep the hand-written parser.', messages: '#999' },
      press: 'Set the outcome',
    },
  };
};

/** Fills in a form and sends it, as a person would. */
export async function sendForm(
  page: PlaywrightPage,
  { action, fill, press }: FilledForm,
): Promise<void> {
  // A form that few need is closed at first.
  for (const closed of await page.locator('main details:not([open]) > summary').all())
    await closed.click();
  const form = page.locator(`form[action="${action}"]`);
  for (const [name, text] of Object.entries(fill)) await form.locator(`[name=${name}]`).fill(text);
  await form.getByRole('button', { name: press, exact: true }).click();
}
