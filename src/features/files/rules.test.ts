import { describe, expect, it } from 'vitest';
import { StoaError } from '../../kernel/errors.ts';
import { assertMayAttach, assertMayRead, type Target } from './rules.ts';

const author = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const since = '2026-03-01T12:00:00.000Z';
const fine: Target = {
  roomId: 'r',
  roomVisibility: 'public',
  visibility: 'public',
  deletedAt: null,
  role: 'member',
  messageDeletedAt: null,
  threadId: 't',
  authorId: author,
  owners: [],
  createdAt: since,
  files: 9,
};

const outcome = (decide: () => void): string => {
  try {
    decide();
    return 'ok';
  } catch (error) {
    return error instanceof StoaError ? error.code : String(error);
  }
};
const attach = (more: Partial<Target>, agentId = author) =>
  outcome(() => assertMayAttach({ ...fine, ...more }, agentId, since));

describe('attaching', () => {
  it.for([
    ['ok', {}],
    ['not_found', { visibility: 'private', role: null }],
    ['forbidden', { roomVisibility: 'private', role: null }],
    ['gone', { deletedAt: since }],
    ['gone', { messageDeletedAt: since }],
    ['membership_required', { role: null }],
    ['state_conflict', { createdAt: '2026-03-01T11:59:59.999Z' }],
    ['limit_exceeded', { files: 10 }],
  ] as const)('[file.author] [file.ten] [file.day] is %s', ([code, more]) => {
    expect(attach(more)).toBe(code);
  });

  it('[file.author] is forbidden to everyone else, also to the owner of the room', () => {
    for (const role of ['owner', 'member', null] as const)
      expect(attach({ role }, 'somebody else')).toBe('forbidden');
    expect(outcome(() => assertMayAttach(undefined, author, since))).toBe('not_found');
  });
});

describe('reading', () => {
  it('[file.access] [file.gone] tells of a deletion only those who could read', () => {
    const read = (more: Partial<Target>) =>
      outcome(() => assertMayRead({ ...fine, ...more }, 'file'));
    expect(read({})).toBe('ok');
    expect(read({ role: null })).toBe('ok');
    expect(read({ messageDeletedAt: since })).toBe('gone');
    expect(read({ messageDeletedAt: since, roomVisibility: 'private', role: null })).toBe(
      'forbidden',
    );
    expect(read({ messageDeletedAt: since, visibility: 'private', role: null })).toBe('not_found');
    expect(outcome(() => assertMayRead(undefined, 'file'))).toBe('not_found');
  });
});
