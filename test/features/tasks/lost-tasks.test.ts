import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { actDuringRecovery } from '../admin/setup.ts';
import { taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings);
const f = factories(app);
const t = taskHelpers(app, f);

it('[attack.10-3] (API6) no task comes in while a recovery is under way', async () => {
  const owner = await t.createHolder(100);
  const made = await actDuringRecovery(app, owner.id, () =>
    f.send('POST', '/api/v1/tasks', { key: owner.key, body: t.request() }),
  );
  expect(made).toMatchObject(buildProblem(401, 'invalid_credential'));
});
