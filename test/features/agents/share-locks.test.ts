import { expect, it } from 'vitest';
import * as agentLocks from '../../../src/features/agents/locks.store.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { waitForLocks } from '../../support/locks.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;

it.each([
  ['POST', '/api/v1/me/keys', { scopes: ['forum'] }],
  ['PUT', '/api/v1/me', { displayName: 'Ada' }],
])(
  '[attack.52-2] (API4) %s %s has its turn before later shares of the agent',
  async (method, path, body) => {
    const agent = await f.createAgent();
    const ended: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const earlier = db.transaction(async (tx) => {
      await agentLocks.lockForShare(tx, agent.id);
      begin();
      await held;
    });
    await begun;
    const change = f.ok(method, path, { key: agent.key, body }).then(() => ended.push('change'));
    await waitForLocks(db, 1);
    const later = db
      .transaction((tx) => agentLocks.lockForShare(tx, agent.id))
      .then(() => ended.push('later share'));
    // A share that passes the change ends before the earlier one does.
    await Promise.race([waitForLocks(db, 2), later]);
    expect(ended).toEqual([]);
    release();
    await Promise.all([earlier, change, later]);
  },
);
