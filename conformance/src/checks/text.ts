import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import { expectEqual, expectOk, expectProblem, expectThat } from '../support/expectations.ts';
import { postMessage, startThread } from '../support/rooms.ts';
import type { World } from '../support/world.ts';

const CHECKS =
  'Stored exactly as sent after these checks: valid UTF-8, no NUL, no unpaired surrogate';
const NAMES = 'names and titles also: no control or bidi control characters (U+202A..E, U+2066..9)';
const NORMALISED = 'they are normalised (trimmed, NFC)';
const EXACTLY = 'kept byte for byte';
const RENDERED =
  'Rendered pages escape everything; Markdown is rendered without raw HTML, images or scripts';

const LAST_CONTROLS = { nul: '\0', tab: '\t', newline: '\n', escape: '\u001b', delete: '\u007f' };
const BIDI = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2069'];

const keptBodies = {
  spaces: '  leading and trailing  ',
  'line-breaks': 'one\r\ntwo\rthree\n\n\n',
  decomposed: 'e\u0301 stays two code points',
  markup: '<script>alert(1)</script> & "quotes"',
  astral: '\u{1f3db}\u{1f469}\u200d\u{1f680}',
  bidi: '\u202eright to left\u202c',
};

/** Posts a raw JSON body, which need not be valid. */
const postRaw = async (w: World, raw: string | Uint8Array<ArrayBuffer>) => {
  const { id, owner } = await startThread(w);
  const headers = { 'content-type': 'application/json' };
  const path = `/api/v1/threads/${id}/messages`;
  return w.send({ method: 'POST', path, raw }, { as: owner, headers });
};

const createRoomNamed = async (w: World, name: string) =>
  w.post('/api/v1/rooms', { name }, { as: await getAgent(w, 'owner') });

const code = (text: string): string => (text.codePointAt(0) ?? 0).toString(16).padStart(4, '0');

/** Posts a message, and reads the thread as a page. */
async function render(w: World, body: string): Promise<string> {
  const { id, owner } = await startThread(w);
  await postMessage(w, id, owner, body);
  const page = await w.get(`/threads/${id}`, { headers: { accept: 'text/html' } });
  expectEqual(page.status, 200, 'the status of the page', page);
  return page.text;
}

export const text = buildArea('text', 'core 1', [
  check('nul', CHECKS, async (w) => {
    expectProblem(await postRaw(w, '{"body":"a\\u0000b"}'), 400, 'invalid_request', '/body/body');
  }),
  check('surrogate', CHECKS, async (w) => {
    expectProblem(await postRaw(w, '{"body":"a\\ud800b"}'), 400, 'invalid_request', '/body/body');
  }),
  check('utf-8', CHECKS, async (w) => {
    const bytes = new Uint8Array([...Buffer.from('{"body":"a'), 0xff, ...Buffer.from('b"}')]);
    expectProblem(await postRaw(w, bytes), 400, 'invalid_request');
  }),
  ...Object.entries(LAST_CONTROLS).map(([name, character]) =>
    check(`control-${name}`, NAMES, async (w) => {
      const answer = await createRoomNamed(w, `Kit${character}room`);
      expectProblem(answer, 400, 'invalid_request', '/body/name');
    }),
  ),
  ...BIDI.map((character) =>
    check(`bidi-${code(character)}`, NAMES, async (w) => {
      const answer = await createRoomNamed(w, `Kit${character}room`);
      expectProblem(answer, 400, 'invalid_request', '/body/name');
    }),
  ),
  check('title-control', NAMES, async (w) => {
    const { roomId, owner } = await startThread(w);
    const body = { title: 'A\u202eB', body: 'x' };
    const answer = await w.post(`/api/v1/rooms/${roomId}/threads`, body, { as: owner });
    expectProblem(answer, 400, 'invalid_request', '/body/title');
  }),
  check('trimmed', NORMALISED, async (w) => {
    const owner = await getAgent(w, 'owner');
    const { id } = expectOk(await createRoomNamed(w, '  Conformance kit \u3000'));
    const { name } = await w.read(`/api/v1/rooms/${id}`, { as: owner });
    expectEqual(name, 'Conformance kit', 'the name');
  }),
  check('nfc', NORMALISED, async (w) => {
    const { id } = await startThread(w, 'public', { title: 'Cafe\u0301' });
    expectEqual((await w.read(`/api/v1/threads/${id}`)).title, 'Caf\u00e9', 'the title');
  }),
  ...Object.entries(keptBodies).map(([name, body]) =>
    check(
      `exactly-${name}`,
      EXACTLY,
      async (w) => {
        const { id, owner } = await startThread(w);
        const posted = await postMessage(w, id, owner, body);
        const message = await w.read(`/api/v1/messages/${posted.id}`);
        expectEqual(message.body, body, 'the body');
      },
      { source: 'core 6' },
    ),
  ),
  check('code-points', 'Lengths count code points unless bytes are named.', async (w) => {
    expectOk(await createRoomNamed(w, '\u{1f3db}'.repeat(120)));
    const answer = await createRoomNamed(w, '\u{1f3db}'.repeat(121));
    expectProblem(answer, 400, 'invalid_request', '/body/name');
  }),
  check('page-script', RENDERED, async (w) => {
    const page = await render(w, 'kit <script>kitScript()</script> kit');
    expectThat(page.includes('kitScript'), 'expected the page to show the text');
    expectThat(!page.includes('<script>kitScript'), 'expected the page to escape the script');
  }),
  check('page-image', RENDERED, async (w) => {
    const page = await render(w, '![kit picture](https://kit.example/picture.png)');
    expectThat(page.includes('kit picture'), 'expected the page to show the text');
    expectThat(!/<img[^>]*kit\.example/.test(page), 'expected the page to show no image');
  }),
  check('page-scheme', RENDERED, async (w) => {
    const page = await render(w, '[kit link](javascript:kitLink())');
    expectThat(page.includes('kit link'), 'expected the page to show the text');
    expectThat(!/href="?javascript:/i.test(page), 'expected no address that is a script');
  }),
  check('page-links', 'links get `rel="nofollow noopener ugc"`', async (w) => {
    const page = await render(w, '[kit link](https://kit.example/page)');
    const link = /<a[^>]*kit\.example[^>]*>/.exec(page)?.[0] ?? '';
    expectThat(link.includes('rel="nofollow noopener ugc"'), `expected rel, received ${link}`);
  }),
]);
