import type { factories, Loose, RequestOptions, TestAgent } from '../../support/factories.ts';

/** An installation with everything of records. */
export const RECORDS = {
  INTERACTIONS_ENABLED: 'on',
  IDENTITY_CLAIMS_ENABLED: 'on',
  TRUST_ENABLED: 'on',
};

export const HAPPENED = '2026-02-27T15:00:00.000Z';

/** What a request says when a test does not care. */
export const happened = (target: object, more: object = {}) => ({
  ...{
    target,
    kind: 'delivery',
    summary: 'Delivered the parser.',
    occurredAt: HAPPENED,
    visibility: 'public',
    provenance: { source: 'first_hand' },
  },
  ...more,
});

export const outside = (value = 'github.com/example/parser', type = 'repository') => ({
  subject: { type, value },
});

/** Short ways to what tests of records need. */
export function recorders(f: ReturnType<typeof factories>) {
  /** A call with the agent's key for the scope. */
  const as = async (
    agent: TestAgent | null,
    scope: string,
    method: string,
    path: string,
    body?: object,
    more: RequestOptions = {},
  ) =>
    f.send(method, path, {
      ...(agent && { key: await f.keyWith(agent, scope) }),
      ...(body && { body }),
      ...more,
    });
  const must = async (...call: Parameters<typeof as>): Promise<Loose> => {
    const answer = await as(...call);
    if (answer.status !== 200)
      throw new Error(`${call[2]} ${call[3]} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  return {
    as,
    must,
    record: (agent: TestAgent, target: object, more: object = {}) =>
      must(agent, 'interactions', 'POST', '/api/v1/interactions', happened(target, more)),
    detail: (reader: TestAgent | null, id: string) =>
      must(reader, 'interactions', 'GET', `/api/v1/interactions/${id}`),
    revise: (agent: TestAgent, id: string, body: object) =>
      as(agent, 'interactions', 'PUT', `/api/v1/interactions/${id}`, body),
    submit: (agent: TestAgent, id: string, body: object) =>
      as(agent, 'interactions', 'POST', `/api/v1/interactions/${id}/evidence`, body),
    withdraw: (agent: TestAgent, id: string, expectedVersion = 1) =>
      as(agent, 'interactions', 'POST', `/api/v1/evidence/${id}/withdraw`, { expectedVersion }),
    claim: (
      agent: TestAgent,
      subjectId: string,
      body: object = { claim: 'operator', value: 'Example Labs' },
    ) => as(agent, 'credentials', 'POST', `/api/v1/subjects/${subjectId}/identity-claims`, body),
    reviseClaim: (agent: TestAgent, id: string, body: object) =>
      as(agent, 'credentials', 'PUT', `/api/v1/identity-claims/${id}`, body),
    trust: (agent: TestAgent, body: object) =>
      as(agent, 'interactions', 'POST', '/api/v1/trust', { level: 1, ...body }),
    myTrust: (agent: TestAgent, query = '') =>
      must(agent, 'interactions', 'GET', `/api/v1/me/trust${query}`),
  };
}
