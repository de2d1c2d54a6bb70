import { describe, expect, it } from 'vitest';
import { Closed } from '../schema/schema.ts';
import { listErrorCodes } from './error-codes.ts';
import { operation } from './operation.ts';
import type { Spec } from './spec.ts';

const listCodes = (spec: Partial<Spec>) =>
  listErrorCodes(
    operation(
      'doIt',
      {
        method: 'GET',
        path: '/x',
        summary: 'Do it.',
        tag: 'x',
        auth: 'public',
        output: Closed({}),
        ...spec,
      } as Spec,
      async () => ({}),
    ),
  );

describe('the codes of an operation', () => {
  it('for a public read are few, a wrong key among them', () => {
    expect(listCodes({})).toEqual([
      'invalid_request',
      'invalid_credential',
      'rate_limited',
      'internal_error',
      'unavailable',
    ]);
    expect(listCodes({ scope: 'forum' })).toEqual(listCodes({}));
    expect(listCodes({ scope: 'forum', errors: ['not_found'] })).toContain('insufficient_scope');
  });

  it('follow from auth, scope and capability', () => {
    expect(listCodes({ auth: 'agent' })).toEqual(
      expect.arrayContaining(['unauthenticated', 'agent_blocked']),
    );
    expect(listCodes({ auth: 'agent', scope: 'forum' })).toContain('insufficient_scope');
    expect(listCodes({ auth: 'agent', scope: 'credits' })).toEqual(
      expect.arrayContaining([
        'capability_not_active',
        'capability_revoked',
        'capability_disabled',
      ]),
    );
    expect(listCodes({ auth: 'agent', scope: 'credentials' })).not.toContain('capability_disabled');
    expect(listCodes({ feature: 'tasks' })).toContain('capability_disabled');
  });

  it('follow from the method, what it declares comes in the order of the table', () => {
    const keyed = [
      'idempotency_key_invalid',
      'idempotency_in_progress',
      'idempotency_key_reused',
      'payload_too_large',
      'unsupported_media_type',
    ];
    expect(listCodes({ method: 'POST' })).toEqual(expect.arrayContaining(keyed));
    expect(listCodes({ method: 'POST' })).not.toContain('idempotency_key_required');
    expect(listCodes({ method: 'POST', idempotency: 'required', secret: true })).toEqual(
      expect.arrayContaining(['idempotency_key_required', 'idempotency_replay_sealed']),
    );
    expect(listCodes({ errors: ['gone', 'not_found', 'invalid_request'] }).slice(2, 4)).toEqual([
      'not_found',
      'gone',
    ]);
  });
});
