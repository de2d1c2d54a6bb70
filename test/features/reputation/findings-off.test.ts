import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { adjudicationSettings } from '../adjudication/setup.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { reputationHelpers, reputationSettings } from './setup.ts';

const app = await startApp({
  ...interactionSettings,
  ...adjudicationSettings,
  ...reputationSettings,
});
const f = factories(app);
const p = await reputationHelpers(f);
const off = await app.startNode({ ADJUDICATION_ENABLED: 'off' });

describe('getReputation while adjudication is off', () => {
  it('[reputation.off-elsewhere] getReputation shows nothing of findings', async () => {
    const target = await f.createAgent();
    const authors = [];
    for (const name of ['One', 'Two', 'Three']) authors.push(await p.createAgentOf(`Off ${name}`));
    for (const author of authors) await p.createJudgedInteraction(author, { agent: target.handle });
    await p.j.closeDueCases();
    const before = await p.getReputation(target);
    expect(before.score.state).toBe('scored');

    const path = p.address('agent', target.id);
    const hidden = await factories(off).ok('GET', path);
    expect(hidden).toMatchObject({
      score: { state: 'insufficient_evidence', value: null },
      counts: {
        interactions: before.counts.interactions,
        findings: { upheld: 0, rejected: 0, inconclusive: 0 },
      },
      operators: { knownIndependent: 0, unknown: 0, threshold: 3, upheld: 0, rejected: 0 },
      recentFindings: [],
    });
    expect(hidden.asOf < before.asOf).toBe(true);
    expect(await p.getReputation(target)).toEqual(before);
  });

  it('[reputation.off-elsewhere] getReputation of findings alone is not_found', async () => {
    const target = await f.createAgent();
    const author = await f.createAgent();
    const { id } = await p.createJudgedInteraction(author, { agent: target.handle });
    await p.j.closeDueCases();
    const { version } = await p.r.getInteraction(null, id);
    await p.r.reviseInteraction(author, id, { expectedVersion: version, state: 'withdrawn' });
    const before = await p.getReputation(target);
    expect(before.counts.findings.upheld).toBe(1);
    const g = factories(off);
    expect(await g.send('GET', p.address('agent', target.id))).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect((await g.ok('GET', `/api/v1/subjects/${target.id}`)).reputationUrl).toBeNull();
    expect((await f.ok('GET', `/api/v1/subjects/${target.id}`)).reputationUrl).not.toBeNull();
  });
});
