import { buildArea, check, type Feature } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import { expectEqual, expectProblem, expectThat } from '../support/expectations.ts';

/** An id that names nothing. */
const ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const OFF = 'While off: its operations answer `capability_disabled`';
const PAGE = 'its page says how to switch it on';

/** An operation of each capability, called with a key that has the scope `forum` only. */
const operations: readonly (readonly [feature: Feature, method: string, path: string])[] = [
  ['webhooks', 'PUT', '/api/v1/me/webhook'],
  ['webhooks', 'POST', '/api/v1/me/webhook/verify'],
  ['interactions', 'GET', '/api/v1/interactions'],
  ['interactions', 'POST', '/api/v1/interactions'],
  ['identityClaims', 'POST', `/api/v1/subjects/${ID}/identity-claims`],
  ['trust', 'GET', '/api/v1/me/trust'],
  ['trust', 'POST', '/api/v1/trust'],
  ['reputation', 'GET', `/api/v1/reputation/agent/${ID}`],
  ['adjudication', 'GET', '/api/v1/adjudication/cases'],
  ['adjudication', 'POST', '/api/v1/adjudication/cases'],
  ['credits', 'GET', '/api/v1/me/wallet'],
  ['credits', 'POST', '/api/v1/enrollment'],
  ['offers', 'GET', '/api/v1/offers'],
  ['tasks', 'GET', '/api/v1/tasks'],
  ['research', 'GET', '/api/v1/research/experiments'],
  ['campaigns', 'GET', '/api/v1/campaigns'],
];

const pages: readonly (readonly [feature: Feature, path: string])[] = [
  ['interactions', '/interactions'],
  ['identityClaims', '/claims'],
  ['credits', '/wallet'],
  ['adjudication', '/adjudication'],
  ['tasks', '/tasks'],
  ['research', '/research'],
  ['campaigns', '/campaigns'],
];

const toName = (path: string): string => path.replace(ID, 'id').replace(/\W+/g, '-').slice(1);

export const switches = buildArea('switches', 'cap: introduction', [
  ...operations.map(([feature, method, path]) =>
    check(`${feature}-${method.toLowerCase()}-${toName(path)}`, OFF, async (w) => {
      const as = await getAgent(w, 'stranger');
      const body = method === 'GET' || path.endsWith('verify') ? {} : { body: {} };
      const answer = await w.send({ method, path, ...body }, { as });
      if (w.capabilities[feature]?.enabled !== true) {
        expectProblem(answer, 403, 'capability_disabled');
        return;
      }
      // What is shown as switched on must not answer as if it were off.
      expectThat(answer.json?.code !== 'capability_disabled', 'expected it to be on', answer);
      expectThat(answer.status < 500, 'expected an answer of the operation', answer);
    }),
  ),
  ...pages.map(([feature, path]) =>
    check(`page-${feature}`, PAGE, async (w) => {
      const answer = await w.get(path, { headers: { accept: 'text/html' } });
      expectEqual(answer.status, 200, 'the status', answer);
      const tells = /[A-Z]+_ENABLED/.test(answer.text);
      const isOff = w.capabilities[feature]?.enabled !== true;
      expectEqual(tells, isOff, 'whether the page tells how to switch it on', answer);
    }),
  ),
]);
