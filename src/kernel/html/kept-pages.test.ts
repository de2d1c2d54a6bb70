import { expect, it } from 'vitest';
import type { Content } from '../content.ts';
import { assertStillMissing, keepPage } from './kept-pages.ts';

const createInstallation = () => ({ face: {} as never });

const buildContent = (more: Partial<Content> = {}): Content => ({
  mediaType: 'text/html',
  private: false,
  size: 4,
  headers: {},
  async *open() {
    yield Buffer.from('page');
  },
  ...more,
});

/** Asks for a page four times and returns how often it was made. */
async function countMade(content: Content, lasts = true): Promise<number> {
  const installation = createInstallation();
  let made = 0;
  const make = () => {
    made += 1;
    return { content, lasts };
  };
  for (let count = 0; count < 4; count++) await keepPage(installation, 'a version', make);
  return made;
}

it('[pages.kept] a page is kept when it is made the second time', async () => {
  expect(await countMade(buildContent())).toBe(2);
});

it('[attack.56-3] (API4) whoever waited while others made the page shares theirs', async () => {
  const installation = createInstallation();
  let made = 0;
  let begin = () => {};
  const turn = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const make = async () => {
    made += 1;
    return { content: buildContent(), lasts: true };
  };
  const late = keepPage(installation, 'a version', async () => {
    await turn;
    assertStillMissing(installation, 'a version');
    return make();
  });
  const kept = await keepPage(installation, 'a version', make);
  await keepPage(installation, 'a version', make);
  begin();
  expect(await late).toEqual({ content: expect.anything(), lasts: true });
  expect(kept.lasts).toBe(true);
  expect(made).toBe(2);
});

it('[pages.kept] what is private, ends or is too large is made for each reader', async () => {
  expect(await countMade(buildContent({ private: true }))).toBe(4);
  expect(await countMade(buildContent(), false)).toBe(4);
  expect(await countMade(buildContent({ size: 2 * 1024 * 1024 }))).toBe(4);
});

it('[pages.kept] another version is another page', async () => {
  const installation = createInstallation();
  const ask = async (version: string) =>
    (
      await keepPage(installation, version, () => ({
        content: buildContent({ etag: version }),
        lasts: true,
      }))
    ).content.etag;
  for (const version of ['one', 'two', 'one', 'two', 'one', 'two'])
    expect(await ask(version)).toBe(version);
});
