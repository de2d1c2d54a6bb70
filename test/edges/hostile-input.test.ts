import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { factories } from '../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const author = await f.createAgent();
const room = await f.createRoom(author, 'public');

const MAX_BODY_BYTES = 65_536;
/** A longer text is shown as it was written. */
const MAX_RENDERED_BYTES = 16_384;
/** Everything around the message on a page of a thread. */
const PAGE_BYTES = 32_768;
/** How many times as long as its text HTML may become, as for the links of short addresses. */
const MOST_TIMES = 40;

/** Pieces of Markdown that open, close, nest or look ahead. */
const piece = fc.constantFrom(
  ...'[ ] ( ) ! * _ ` ~ < > | # \\ " a : & - + = 1.'.split(' '),
  ...['\n', '\n\n', '> ', '- ', '1. ', '    ', '](<', '![', '[a]: x\n', '|-|\n', '```\n', '<!--'],
  ...['@ada ', 'https://a.b/', 'a@b.c', '&#', '**', '__', '---\n', 'é', '🙂'],
);
const unit = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));

/** Repeats a text as often as it fits into a number of bytes. */
const fill = (text: string, bytes: number): string =>
  text.repeat(Math.floor(bytes / Buffer.byteLength(text)));

it('[ops.no-freeze] postMessage and the page of a thread take any long Markdown', async () => {
  await fc.assert(
    fc.asyncProperty(
      unit,
      unit,
      fc.constantFrom(MAX_BODY_BYTES, MAX_RENDERED_BYTES),
      async (before, after, bytes) => {
        const body = `a${fill(before, bytes / 2 - 2)}${fill(after, bytes / 2 - 2)}`;
        const thread = await f.createThread(author, room, { body });
        const { messages } = await f.ok('GET', `/api/v1/threads/${thread}/messages`);
        expect(messages[0].body).toBe(body);
        const page = await f.send('GET', `/threads/${thread}`);
        expect(page.status).toBe(200);
        // The work for a page is at least as much as it is long.
        expect(Buffer.byteLength(page.text)).toBeLessThan(MOST_TIMES * bytes + PAGE_BYTES);
      },
    ),
    { numRuns: 40 },
  );
});

it('[ops.no-freeze] [attack.1-6] postMessage takes or refuses any JSON of full size', async () => {
  const thread = await f.createThread(author, room);
  const json = fc.constantFrom('[', '{"a":', '[1,', '"a",', '{},', '"\\u0041', '\\', '"', '1e9,');
  await fc.assert(
    fc.asyncProperty(json, json, async (one, other) => {
      const response = await fetch(`${app.url}/api/v1/threads/${thread}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': author.key },
        body: `{"body":${fill(one + other, 520_000)}`,
      });
      const { code } = (await response.json()) as { code: string };
      expect([response.status, code]).toEqual([400, 'invalid_request']);
    }),
    { numRuns: 30 },
  );
});
