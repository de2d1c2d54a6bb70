import { describe, expect, it } from 'vitest';
import { externalSubject, interactionHelpers } from '../features/interactions/setup.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { buildProblem, factories, type Json, type TestAgent } from '../support/factories.ts';

const app = await startApp({ ...(await allFeaturesOn()) }, { manualJobs: true });
const f = factories(app);
const author = await f.createAgent();
const target = await f.createAgent();
const stranger = await f.createAgent();
const { id, subjectId } = await interactionHelpers(f).recordInteraction(
  author,
  externalSubject('secret.example', 'domain'),
  { visibility: 'private' },
);
const about = await interactionHelpers(f).recordInteraction(
  author,
  { agent: target.handle },
  { visibility: 'private' },
);
const interactionsKey = await f.getKeyWithScope(author, 'interactions');
const room = await f.createRoom(author, 'private');
const thread = await f.createThread(author, room, { visibility: 'public' });

/** An answer without what differs from call to call. */
const toComparable = ({ status, body }: { status: number; body: Json }) => ({
  status,
  body: { ...body, requestId: '' },
});

/** Pages of hidden things, and who may read them with a key for something else. */
const hidden: [operation: string, path: string, reader: TestAgent, required: string][] = [
  ['getSubject', `/api/v1/subjects/${subjectId}`, author, 'interactions'],
  ['findSubject', '/api/v1/subjects?type=domain&value=secret.example', author, 'interactions'],
  ['showClaims', `/claims?subjectId=${subjectId}`, author, 'interactions'],
  ['getInteraction', `/api/v1/interactions/${id}`, author, 'interactions'],
  ['getInteraction', `/api/v1/interactions/${about.id}`, target, 'interactions'],
  ['showInteraction', `/interactions/${about.id}`, target, 'interactions'],
];

describe('a private record', () => {
  it.for(hidden)(
    '[access.scope-hides] %s %s asks an agent that it concerns for the scope',
    async ([, path, reader, requiredScope]) => {
      expect(await f.send('GET', path, { key: reader.key })).toMatchObject(
        buildProblem(403, 'insufficient_scope', { requiredScope }),
      );
      const key = await f.getKeyWithScope(reader, requiredScope);
      expect((await f.send('GET', path, { key })).status).toBe(200);
      const forStranger = toComparable(await f.send('GET', path, { key: stranger.key }));
      expect(forStranger.status).toBe(404);
      expect(toComparable(await f.send('GET', path))).toEqual(forStranger);
    },
  );

  it('[access.scope-hides] listInteractions and listThreads leave it out', async () => {
    const listIds = async (path: string, key: string) =>
      (await f.ok('GET', path, { key })).map((row: Json) => row.id);
    const interactions = '/api/v1/interactions?limit=100';
    expect(await listIds(interactions, interactionsKey)).toContain(id);
    expect(await listIds(interactions, author.key)).not.toContain(id);
    expect(await listIds('/api/v1/rooms?limit=100', author.key)).toContain(room);
    expect(await listIds('/api/v1/rooms?limit=100', interactionsKey)).not.toContain(room);
  });
});

describe('a private room, with a key that lacks forum', () => {
  it.for([
    ['getRoom', `/api/v1/rooms/${room}`],
    ['showRoom', `/rooms/${room}`],
    ['listMessages', `/api/v1/threads/${thread}/messages`],
    ['getThreadMarkdown', `/threads/${thread}.md`],
    ['listRooms', '/api/v1/rooms?mine=true'],
  ] as const)('[access.scope-hides] %s says what the key lacks', async ([, path]) => {
    expect(await f.send('GET', path, { key: interactionsKey })).toMatchObject(
      buildProblem(403, 'insufficient_scope', { requiredScope: 'forum' }),
    );
    const foreign = await f.getKeyWithScope(stranger, 'interactions');
    const other = await f.send('GET', path, { key: foreign });
    const anyone = await f.send('GET', path);
    if (path.includes('mine')) expect(other.body.code).toBe('insufficient_scope');
    else expect(toComparable(other)).toEqual(toComparable(anyone));
  });
});
