import { randomBytes } from 'node:crypto';
import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import { expectEqual, expectMembers, expectProblem, expectThat } from '../support/expectations.ts';
import { attachFile, createRoom, postMessage, startThread } from '../support/rooms.ts';
import type { Agent, World } from '../support/world.ts';

/** A word that no other text has. */
const createWord = (): string => `kit${randomBytes(6).toString('hex')}`;

const find = async (w: World, query: string, as?: Agent): Promise<Json[]> =>
  (await w.read(`/api/v1/search?q=${encodeURIComponent(query)}`, as ? { as } : {})).results;

const listIds = (results: readonly Json[]) => results.map(({ id }) => id);

/** A thread whose messages have words of their own. */
async function startTalk(w: World) {
  const word = createWord();
  const other = createWord();
  const thread = await startThread(w);
  const both = await postMessage(w, thread.id, thread.owner, `${word} beside ${other}`);
  const one = await postMessage(w, thread.id, thread.member, `${word} alone, Caf\u00e9`);
  return { ...thread, word, other, both: both.id, one: one.id };
}

export const search = buildArea('search', 'core 6', [
  check('at-once', 'A message is found as soon as its post returns.', async (w) => {
    const { word, one, both } = await startTalk(w);
    expectEqual(listIds(await find(w, word)).toSorted(), [both, one].toSorted(), 'what is found');
  }),
  check(
    'result',
    '`results` (`type`, `id`, `roomId`, `threadId`, `position`, `title`, `excerpt`, …',
    async (w) => {
      const { word, other } = await startTalk(w);
      const [result] = await find(w, `${word} ${other}`);
      const names = 'type id roomId threadId position title excerpt highlights authorHandle';
      expectMembers(result, [...names.split(' '), 'createdAt', 'url']);
      const [[start, length]] = result.highlights;
      const marked = [...result.excerpt].slice(start, start + length).join('');
      expectThat([word, other].includes(marked), `expected a highlight on a word: ${marked}`);
    },
  ),
  check(
    'all-words',
    'Words are all required, matched without regard to case or accents.',
    async (w) => {
      const { word, other, both, one } = await startTalk(w);
      expectEqual(listIds(await find(w, `${other} ${word}`)), [both], 'both words');
      expectEqual(listIds(await find(w, `${word.toUpperCase()} CAFE`)), [one], 'in another case');
    },
  ),
  check('not', '`-not`', async (w) => {
    const { word, other, one } = await startTalk(w);
    expectEqual(listIds(await find(w, `${word} -${other}`)), [one], 'what is found');
  }),
  check('phrases', '`"phrases"`', async (w) => {
    const { word, other, both } = await startTalk(w);
    expectEqual(listIds(await find(w, `"${word} beside"`)), [both], 'the phrase');
    expectEqual(await find(w, `"${other} ${word}"`), [], 'another order');
  }),
  check('beginnings', '`word*` matches beginnings', async (w) => {
    const { word } = await startTalk(w);
    expectEqual((await find(w, `${word.slice(0, -2)}*`)).length, 2, 'the number of results');
  }),
  check('in', '`in:<roomId>`', async (w) => {
    const { word, roomId } = await startTalk(w);
    expectEqual((await find(w, `${word} in:${roomId}`)).length, 2, 'in the room');
    const elsewhere = await createRoom(w, 'public');
    expectEqual((await find(w, `${word} in:${elsewhere.id}`)).length, 0, 'elsewhere');
  }),
  check('from', '`from:<handle>`', async (w) => {
    const { word, member, one } = await startTalk(w);
    expectEqual(listIds(await find(w, `${word} from:${member.handle}`)), [one], 'what is found');
  }),
  check('type', '`type:thread|message|room|agent|file`', async (w) => {
    const word = createWord();
    const { id } = await startThread(w, 'public', { title: word, body: word });
    expectEqual(listIds(await find(w, `${word} type:thread`)), [id], 'the thread');
    expectEqual((await find(w, `${word} type:message`)).length, 1, 'the number of messages');
  }),
  check('file', '(a file is found by name)', async (w) => {
    const word = createWord();
    const { messageId, owner } = await startThread(w);
    const file = await attachFile(w, messageId, owner, { name: `${word}.txt` });
    expectEqual(listIds(await find(w, `${word} type:file`)), [file.id], 'the file');
  }),
  check(
    'unknown-filter',
    'a filter with an unknown value is `invalid_request` that names the values',
    async (w) => {
      const answer = await w.get('/api/v1/search?q=kit%20type%3Apoem');
      const { detail } = expectProblem(answer, 400, 'invalid_request');
      for (const value of ['thread', 'message', 'room', 'agent', 'file'])
        expectThat(detail.includes(value), `expected the detail to name ${value}`, answer);
    },
  ),
  check('private', 'With a key, includes what its agent may read now.', async (w) => {
    const word = createWord();
    const { member } = await startThread(w, 'private', { body: word });
    expectEqual(await find(w, word), [], 'what anybody finds');
    expectEqual(await find(w, word, await getAgent(w, 'stranger')), [], 'what a stranger finds');
    expectEqual((await find(w, word, member)).length, 1, 'what a member finds');
  }),
  check('listed', 'its title is not searched', async (w) => {
    const word = createWord();
    await startThread(w, 'private', { title: word, visibility: 'public' });
    expectEqual(await find(w, word), [], 'what anybody finds');
  }),
]);
