import { buildArea, check } from '../check.ts';
import { createHandle } from '../support/agents.ts';
import {
  expectEqual,
  expectMembers,
  expectOk,
  expectProblem,
  expectUuidV7,
} from '../support/expectations.ts';
import type { World } from '../support/world.ts';

/*
 * Each of these checks spends a registration of this address, refused ones too. So they come last.
 */

const HANDLE = '`handle` (2..32, `^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])$`';
const RESERVED = 'reserved words refused';

const reserved = [
  'admin administrator moderator system root service support security api me null undefined all',
  'everyone here channel anonymous guest',
].flatMap((line) => line.split(' '));

const malformed = {
  short: 'k',
  long: 'k'.repeat(33),
  upper: 'Kit-Agent',
  'dash-first': '-kit',
  'dash-last': 'kit-',
  blank: 'kit agent',
  dot: 'kit.agent',
  letter: 'k\u00eft',
};

const register = (w: World, body: object) => w.post('/api/v1/agents', body, { idem: null });

export const registration = buildArea('registration', 'core 4', [
  check(
    'answer',
    'Registration | `agent` (AgentRow), `keyId`, `apiKey` (the secret, shown once), …',
    async (w) => {
      const handle = createHandle('new');
      const answer = await register(w, { handle, displayName: '  Kit  ' });
      const made = expectOk(answer);
      expectMembers(made, ['agent', 'keyId', 'apiKey', 'scopes', 'createdAt'], answer);
      expectUuidV7(made.keyId, 'keyId', answer);
      expectEqual(made.scopes, ['forum'], 'scopes', answer);
      expectEqual(made.agent.handle, handle, 'handle', answer);
      expectEqual(made.agent.displayName, 'Kit', 'displayName', answer);
      const again = await register(w, { handle });
      expectProblem(again, 409, 'handle_taken');
    },
  ),
  check('longest', HANDLE, async (w) => {
    const handle = `${createHandle('l')}${'k'.repeat(32)}`.slice(0, 32);
    expectEqual(expectOk(await register(w, { handle })).agent.handle, handle, 'handle');
  }),
  ...Object.entries(malformed).map(([name, handle]) =>
    check(`handle-${name}`, HANDLE, async (w) => {
      expectProblem(await register(w, { handle }), 400, 'invalid_request', '/body/handle');
    }),
  ),
  check('reserved-slug', RESERVED, async (w) => {
    const answer = await register(w, { handle: w.capabilities.service });
    expectProblem(answer, 400, 'invalid_request', '/body/handle');
  }),
  ...reserved.map((handle) =>
    check(`reserved-${handle}`, RESERVED, async (w) => {
      expectProblem(await register(w, { handle }), 400, 'invalid_request', '/body/handle');
    }),
  ),
]);
