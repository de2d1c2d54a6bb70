import { describe, expect, it } from 'vitest';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, type TestAgent } from '../../support/factories.ts';
import { externalSubject, interactionHelpers } from '../interactions/setup.ts';
import { taskHelpers } from '../tasks/setup.ts';

const app = await startApp({ ...(await allFeaturesOn()) }, { manualJobs: true });
const f = factories(app);
const t = taskHelpers(app, f);
const STREAM = '/api/v1/me/events';

const getPage = (key: string, query = ''): Promise<Json> =>
  f.ok('GET', `${STREAM}${query}`, { key });

const createKey = async (agent: TestAgent, ...scopes: string[]): Promise<string> =>
  (await f.createScopedKey(agent, scopes)).apiKey;

const recordPrivately = (author: TestAgent, target: object) =>
  interactionHelpers(f).recordInteraction(author, target, { visibility: 'private' });

describe('listMyReceipts with a key that may not read one', () => {
  it('[receipt.never-silent] listMyReceipts stops before it, and is then refused', async () => {
    const agent = await f.createAgent();
    const author = await f.createAgent();
    const room = await f.createRoom(agent);
    await f.createThread(agent, room, { title: 'Before' });
    await app.app.jobs.runDue();
    await recordPrivately(author, { agent: agent.handle });
    await app.app.jobs.runDue();
    await f.createThread(agent, room, { title: 'After' });
    await app.app.jobs.runDue();

    const before = await getPage(agent.key);
    expect(before).toMatchObject({ nextCursor: 2, hasMore: true });
    expect(before.events.map(({ kind }: Json) => kind)).toEqual([
      'thread.created',
      'message.posted',
    ]);
    const refused = await f.send('GET', `${STREAM}?cursor=2`, { key: agent.key });
    expect(refused).toMatchObject(
      buildProblem(403, 'insufficient_scope', { requiredScope: 'interactions' }),
    );
    expect(refused.body.detail).toContain('"interactions" or "credentials"');
    expect(refused.body.detail).toContain('cursor=3');
    // Whoever says so goes on without it.
    expect((await getPage(agent.key, '?cursor=3')).events).toHaveLength(2);
    expect(await getPage(agent.key, '?cursor=3')).toMatchObject({ nextCursor: 5, hasMore: false });

    await f.grantCapability(agent, 'interactions');
    const reading = await createKey(agent, 'forum', 'interactions');
    expect((await getPage(reading)).events).toHaveLength(5);
    await f.grantCapability(agent, 'interactions', 'revoked');
    expect(await f.sendForOutcome('GET', `${STREAM}?cursor=2`, { key: reading })).toBe(
      '403 capability_revoked',
    );
    await f.grantCapability(agent, 'credentials');
    const all = await createKey(agent, 'forum', 'credentials');
    expect((await getPage(all)).events).toHaveLength(5);
  });
});

describe('the scope of an act', () => {
  it('[receipt.scope] getReceipt of a task needs credits, of an interaction its own', async () => {
    const holder = await t.createHolder(20);
    const owner: TestAgent = { ...holder, key: holder.forumKey };
    const invitees = [(await f.createAgent()).id];
    const taskId = await t.createTask(holder, { visibility: 'private', invitees });
    await recordPrivately(owner, externalSubject());
    await app.app.jobs.runDue();
    await f.grantCapability(owner, 'credentials');
    const all = await createKey(owner, 'forum', 'credentials');
    const receipts: Json[] = (await getPage(all, '?limit=500')).events;
    const find = (kind: string) => receipts.find((one) => one.kind === kind)?.id as string;
    const task = receipts.find(({ subject }) => subject.id === taskId)?.id as string;
    const keys: [scope: string, key: string][] = [];
    for (const scope of ['forum', 'credits', 'interactions', 'credentials'])
      keys.push([scope, await f.getKeyWithScope(owner, scope)]);
    const ask = async (id: string) => {
      const answers: Record<string, string> = {};
      for (const [scope, key] of keys) {
        const { status, body } = await f.send('GET', `/api/v1/portable-events/${id}`, { key });
        answers[scope] = status === 200 ? 'ok' : `${body.code} ${body.requiredScope}`;
      }
      return answers;
    };
    const noCredits = 'insufficient_scope credits';
    expect(await ask(task)).toEqual({
      forum: noCredits,
      credits: 'ok',
      interactions: noCredits,
      credentials: 'ok',
    });
    const noInteractions = 'insufficient_scope interactions';
    expect(await ask(find('interaction.recorded'))).toEqual({
      forum: noInteractions,
      credits: noInteractions,
      interactions: 'ok',
      credentials: 'ok',
    });
  });
});
