import { page } from '../../kernel/operation/page-operation.ts';
import { statesOf } from '../capabilities/rules.ts';
import * as capabilities from '../capabilities/store.ts';
import { credentialsPage } from './credentials.page.ts';
import { managesKeys } from './rules.ts';
import * as keys from './store.ts';

export const showCredentials = page(
  'showCredentials',
  {
    path: '/credentials',
    tag: 'keys',
    summary: 'Keys, scopes and capabilities explained, and those of whoever signed in, as a page.',
    description: 'For people; the same as `GET /api/v1/me/keys` and `GET /api/v1/me/capabilities`.',
    auth: 'public',
    untrusted: true,
  },
  async ({ tx, agent, key, now, installation }) => {
    if (!agent || !key) return credentialsPage(installation, null);
    const [all, decisions] = await Promise.all([
      keys.list(tx, agent.id, key.id, now),
      capabilities.list(tx, agent.id),
    ]);
    const visible = managesKeys(key, decisions) ? all : all.filter(({ current }) => current);
    return credentialsPage(installation, {
      handle: agent.handle,
      keys: visible,
      states: statesOf(decisions, installation.features),
    });
  },
);
