import { describe, expect, it } from 'vitest';
import { findViolations } from '../../../scripts/claims/check-history.ts';
import { type ClaimOperation, claimModel, LEASE_MS } from '../../../scripts/claims/claim-model.ts';
import { type Call, isLinearizable, type Model } from '../linearizability.ts';
import { buildCounterModel, tellCount } from './counters.ts';
import { guestContextModel } from './guest-context.ts';
import { idempotencyModel } from './idempotency.ts';
import { invitationModel } from './invitations.ts';
import { membershipModel, tellMembers } from './memberships.ts';
import { buildOfferModel, tellWallet } from './offers.ts';
import { type Told, UNKNOWN } from './told.ts';
import { buildRecordModel } from './versioned-records.ts';

/** What a caller did, one call after the other, and an answer that any of them may not have. */
interface Example<Operation extends Told> {
  readonly model: Model<unknown, Operation>;
  readonly operations: readonly Operation[];
  /** Wrong answers, by the place of the call. */
  readonly wrong: readonly (readonly [place: number, outcome: string])[];
}

const example = <State, Operation extends Told>(
  model: Model<State, Operation>,
  operations: readonly Operation[],
  ...wrong: Example<Operation>['wrong']
): Example<never> => ({ model, operations, wrong }) as never;

const context = 'one';
const entry = { context, key: 'a' };
const room = 'one';
const ada = { room, agent: 'ada' };
const bob = { room, agent: 'bob' };
const key = 'one';
const counter = 'thread';
const record = 'one';
const sent = { agent: 'ada', id: 'o1' };
const received = { agent: 'bob', id: 'o1' };

const examples: Readonly<Record<string, Example<never>>> = {
  'guest contexts': example(
    guestContextModel,
    [
      { kind: 'write', ...entry, value: 7, expected: 0, outcome: 'written 1' },
      { kind: 'write', ...entry, value: 8, expected: 0, outcome: 'version_conflict 1' },
      { kind: 'read', ...entry, outcome: '1 7' },
      { kind: 'delete', ...entry, expected: 1, outcome: 'deleted 1' },
      { kind: 'delete', ...entry, expected: null, outcome: 'not_found' },
      { kind: 'write', ...entry, value: 9, expected: null, outcome: 'written 2' },
    ],
    [0, 'written 2'],
    [1, 'written 2'],
    [2, '1 8'],
    [4, 'deleted 1'],
    [5, 'written 1'],
  ),
  memberships: example(
    membershipModel,
    [
      { kind: 'join', ...ada, outcome: 'done' },
      { kind: 'join', ...bob, outcome: 'done' },
      { kind: 'leave', ...ada, outcome: 'done' },
      { kind: 'list', room, outcome: tellMembers(['bob'], 1) },
      { kind: 'remove', ...bob, outcome: 'done' },
      { kind: 'join', ...bob, outcome: 'removed_from_room' },
      { kind: 'archive', room, outcome: 'done' },
      { kind: 'join', ...ada, outcome: 'state_conflict archived' },
      { kind: 'look', room, outcome: '0 archived' },
    ],
    [2, 'not_found'],
    [3, tellMembers(['bob'], 2)],
    [3, tellMembers(['ada', 'bob'], 2)],
    [4, 'not_found'],
    [5, 'done'],
    [7, 'done'],
    [8, '0 open'],
  ),
  invitations: example(
    invitationModel,
    [
      { kind: 'invite', agent: 'bob', outcome: 'invited i1' },
      { kind: 'invite', agent: 'bob', outcome: 'already_exists i1' },
      { kind: 'decline', agent: 'bob', id: 'i1', outcome: 'done' },
      { kind: 'accept', agent: 'bob', id: 'i1', outcome: 'gone declined' },
      { kind: 'invite', agent: 'bob', outcome: 'invited i2' },
      { kind: 'list', agent: 'bob', outcome: 'open i2' },
      { kind: 'accept', agent: 'bob', id: 'i2', outcome: 'done' },
      { kind: 'withdraw', agent: 'bob', id: 'i2', outcome: 'state_conflict used' },
      { kind: 'leave', agent: 'bob', outcome: 'done' },
      { kind: 'accept', agent: 'bob', id: 'i2', outcome: 'gone used' },
    ],
    [1, 'invited i3'],
    [3, 'done'],
    [5, 'open i1'],
    [6, 'gone revoked'],
    [7, 'done'],
    [8, 'not_found'],
    [9, 'done'],
  ),
  'idempotency keys': example(
    idempotencyModel,
    [
      { kind: 'post', key, body: 'a', outcome: 'message m1' },
      { kind: 'post', key, body: 'a', outcome: 'message m1' },
      { kind: 'post', key, body: 'b', outcome: 'idempotency_key_reused' },
      { kind: 'find', key, outcome: 'message m1' },
    ],
    [1, 'message m2'],
    [2, 'message m1'],
    [3, 'nothing'],
    [3, 'message m1 m2'],
  ),
  counters: example(
    buildCounterModel(1),
    [
      { kind: 'place', counter, outcome: '1' },
      { kind: 'place', counter, outcome: '2' },
      { kind: 'read', counter, outcome: tellCount(3, 3) },
    ],
    [0, '0'],
    [1, '1'],
    [1, '3'],
    [2, tellCount(2)],
    [2, tellCount(3, 2)],
  ),
  'versioned records': example(
    buildRecordModel('s'),
    [
      { kind: 'revise', record, expected: 1, text: 't', outcome: 'recorded 2' },
      { kind: 'revise', record, expected: 1, text: 'u', outcome: 'version_conflict 2' },
      { kind: 'submit', record, expected: 2, text: 'e', outcome: 'submitted 1' },
      { kind: 'retract', record, expected: 1, text: 'e', outcome: 'withdrawn 2' },
      { kind: 'read', record, outcome: 'recorded 4 "t", e: 2' },
      { kind: 'withdraw', record, expected: 4, outcome: 'withdrawn 5' },
      { kind: 'submit', record, expected: 5, text: 'f', outcome: 'state_conflict withdrawn' },
    ],
    [0, 'recorded 3'],
    [1, 'recorded 2'],
    [2, 'version_conflict 3'],
    [3, 'version_conflict 2'],
    [4, 'recorded 3 "t", e: 2'],
    [4, 'recorded 4 "t", e: 1'],
    [4, 'recorded 4 "t", e: 2, of 5 versions'],
    [6, 'submitted 1'],
  ),
  offers: example(
    buildOfferModel('ada', { ada: 10 }),
    [
      { kind: 'create', agent: 'ada', amount: 8, to: 'bob', outcome: 'created o1' },
      { kind: 'create', agent: 'ada', amount: 3, to: 'bob', outcome: 'insufficient_funds' },
      { kind: 'decline', ...received, expected: 1, outcome: 'reserved 2' },
      { kind: 'accept', ...received, expected: 1, outcome: 'not_found' },
      { kind: 'confirm', ...sent, expected: 2, to: 'bob', outcome: 'confirmed 3' },
      { kind: 'wallet', agent: 'ada', outcome: tellWallet(2, 8) },
      { kind: 'accept', ...received, expected: 3, outcome: 'accepted 4' },
      { kind: 'cancel', ...sent, expected: 3, outcome: 'version_conflict 4' },
      { kind: 'cancel', ...sent, expected: 4, outcome: 'state_conflict accepted' },
      { kind: 'wallet', agent: 'bob', outcome: tellWallet(8, 0) },
      { kind: 'wallet', agent: 'ada', outcome: tellWallet(2, 0) },
    ],
    [1, 'created o2'],
    [3, 'accepted 3'],
    [5, tellWallet(10, 0)],
    [7, 'cancelled 5'],
    [8, 'cancelled 5'],
    [9, tellWallet(16, 0)],
    [10, tellWallet(10, 0)],
  ),
};

const toHistory = (operations: readonly Told[]): Call<never>[] =>
  operations.map((operation, nr) => ({ operation, start: 10 * nr, end: 10 * nr + 5 })) as never;

describe.each(Object.entries(examples))('the model of %s', (_, { model, operations, wrong }) => {
  it('[proof.models] allows what the contract says', () => {
    expect(isLinearizable(toHistory(operations), model)).toBe(true);
  });

  it('[proof.models] allows no other answer', () => {
    const allowed = wrong.filter(([place, outcome]) => {
      const changed = (operations as readonly Told[]).with(place, {
        ...(operations[place] as unknown as Told),
        outcome,
      });
      return isLinearizable(toHistory(changed), model);
    });
    expect(allowed).toEqual([]);
    expect(wrong.length).toBeGreaterThan(3);
  });

  it('[proof.models] lets a change without an answer happen, or not', () => {
    const [first, second] = toHistory(operations) as [Call<never>, Call<never>];
    const operation = { ...(first.operation as Told), outcome: UNKNOWN } as never;
    const lost = { ...first, operation, end: Infinity };
    expect(isLinearizable([lost], model)).toBe(true);
    expect(isLinearizable([lost, second], model)).toBe(true);
  });
});

describe('the model of claims', () => {
  const claim = (fence: number, start: number, agent = 'ada'): Call<ClaimOperation> => ({
    operation: {
      kind: 'claim',
      agent,
      outcome: { is: 'taken', fence, expiresAt: start + LEASE_MS },
    },
    start,
    end: start + 5,
  });
  const answer = (fence: number, start: number): Call<ClaimOperation> => ({
    operation: { kind: 'answer', agent: 'ada', fence, outcome: 'done' },
    start,
    end: start + 5,
  });
  const late = 10 + LEASE_MS;

  it('[proof.models] allows what the contract says', () => {
    expect(isLinearizable([claim(1, 0), answer(1, 10)], claimModel)).toBe(true);
    expect(isLinearizable([claim(1, 0), claim(2, late, 'bob')], claimModel)).toBe(true);
  });

  it.each([
    ['two holders at once', [claim(1, 0), claim(2, 10, 'bob')]],
    ['a fence twice', [claim(1, 0), claim(1, late, 'bob')]],
    ['an answer with a stale fence', [claim(1, 0), claim(2, late, 'bob'), answer(1, late + 10)]],
    ['an answer after the lease', [claim(1, 0), answer(1, late)]],
  ])('[proof.models] does not allow %s', (_, calls) => {
    expect(isLinearizable(calls, claimModel)).toBe(false);
    expect(findViolations('7', calls, [])).toEqual([
      expect.stringMatching(/^About 7: No order explains these of \d calls .+\n0 to \d+: {/),
    ]);
  });
});
