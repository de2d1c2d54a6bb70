import type { factories, Json, RequestOptions, TestAgent } from '../../support/factories.ts';

/** An installation with everything of records. */
export const interactionSettings = {
  INTERACTIONS_ENABLED: 'on',
  IDENTITY_CLAIMS_ENABLED: 'on',
  TRUST_ENABLED: 'on',
};

export const OCCURRED_AT = '2026-02-27T15:00:00.000Z';

/** What a request says when a test does not care. */
export const buildInteraction = (target: object, more: object = {}) => ({
  ...{
    target,
    kind: 'delivery',
    summary: 'Delivered the parser.',
    occurredAt: OCCURRED_AT,
    visibility: 'public',
    provenance: { source: 'first_hand' },
  },
  ...more,
});

export const externalSubject = (value = 'github.com/example/parser', type = 'repository') => ({
  subject: { type, value },
});

/** Short ways to what tests of records need. */
export function interactionHelpers(f: ReturnType<typeof factories>) {
  /** A call with the agent's key for the scope. */
  const callAs = async (
    agent: TestAgent | null,
    scope: string,
    method: string,
    path: string,
    body?: object,
    more: RequestOptions = {},
  ) =>
    f.send(method, path, {
      ...(agent && { key: await f.getKeyWithScope(agent, scope) }),
      ...(body && { body }),
      ...more,
    });
  const expectOkAs = async (...call: Parameters<typeof callAs>): Promise<Json> => {
    const answer = await callAs(...call);
    if (answer.status !== 200)
      throw new Error(`${call[2]} ${call[3]} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  return {
    as: callAs,
    must: expectOkAs,
    recordInteraction: (agent: TestAgent, target: object, more: object = {}) =>
      expectOkAs(
        agent,
        'interactions',
        'POST',
        '/api/v1/interactions',
        buildInteraction(target, more),
      ),
    getInteraction: (reader: TestAgent | null, id: string) =>
      expectOkAs(reader, 'interactions', 'GET', `/api/v1/interactions/${id}`),
    reviseInteraction: (agent: TestAgent, id: string, body: object) =>
      callAs(agent, 'interactions', 'PUT', `/api/v1/interactions/${id}`, body),
    submitEvidence: (agent: TestAgent, id: string, body: object) =>
      callAs(agent, 'interactions', 'POST', `/api/v1/interactions/${id}/evidence`, body),
    withdrawEvidence: (agent: TestAgent, id: string, expectedVersion = 1) =>
      callAs(agent, 'interactions', 'POST', `/api/v1/evidence/${id}/withdraw`, { expectedVersion }),
    claimIdentity: (
      agent: TestAgent,
      subjectId: string,
      body: object = { claim: 'operator', value: 'Example Labs' },
    ) =>
      callAs(agent, 'credentials', 'POST', `/api/v1/subjects/${subjectId}/identity-claims`, body),
    reviseClaim: (agent: TestAgent, id: string, body: object) =>
      callAs(agent, 'credentials', 'PUT', `/api/v1/identity-claims/${id}`, body),
    recordTrust: (agent: TestAgent, body: object) =>
      callAs(agent, 'interactions', 'POST', '/api/v1/trust', { level: 1, ...body }),
    listMyTrust: (agent: TestAgent, query = '') =>
      expectOkAs(agent, 'interactions', 'GET', `/api/v1/me/trust${query}`),
  };
}
