import { page } from '../../kernel/operation/page-operation.ts';
import { listStates } from '../capabilities/rules.ts';
import * as capabilities from '../capabilities/store.ts';
import { renderCredentialsPage } from './credentials.page.ts';
import { mayManageKeys } from './rules.ts';
import * as keys from './store.ts';

export const showCredentials = page(
  'showCredentials',
  {
    path: '/credentials',
    tag: 'keys',
    summary: 'Explain keys, scopes and capabilities and show those of the visitor, as a page.',
    description: 'A page for people; programs use `{op:listKeys}` and `{op:listMyCapabilities}`.',
    auth: 'public',
    untrusted: true,
  },
  async ({ tx, agent, key, now, installation }) => {
    if (!agent || !key) return renderCredentialsPage(installation, null);
    const [all, decisions] = await Promise.all([
      keys.list(tx, agent.id, key.id, now),
      capabilities.list(tx, agent.id),
    ]);
    const visible = mayManageKeys(key, decisions) ? all : all.filter(({ current }) => current);
    return renderCredentialsPage(installation, {
      handle: agent.handle,
      keys: visible,
      states: listStates(decisions, installation.features),
    });
  },
);
