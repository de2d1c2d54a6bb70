import { describe, expect, it } from 'vitest';
import { StoaError } from '../../kernel/errors.ts';
import { type AttachTarget, assertMayAttach, assertMayRead } from './rules.ts';

const author = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const since = '2026-03-01T12:00:00.000Z';
const attachable: AttachTarget = {
  roomId: 'r',
  roomVisibility: 'public',
  visibility: 'public',
  deletedAt: null,
  removed: false,
  archived: false,
  role: 'member',
  messageDeletedAt: null,
  threadId: 't',
  authorId: author,
  owners: [],
  createdAt: since,
  files: 9,
};

const getOutcome = (decide: () => void): string => {
  try {
    decide();
    return 'ok';
  } catch (error) {
    return error instanceof StoaError ? error.code : String(error);
  }
};
const tryAttach = (more: Partial<AttachTarget>, agentId = author) =>
  getOutcome(() => assertMayAttach({ ...attachable, ...more }, agentId, since));

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
  ] as const)('[file.author] [file.ten] [file.day] results in %s', ([code, more]) => {
    expect(tryAttach(more)).toBe(code);
  });

  it('[file.author] is forbidden to everyone else, even the owner of the room', () => {
    for (const role of ['owner', 'member', null] as const)
      expect(tryAttach({ role }, 'somebody else')).toBe('forbidden');
    expect(getOutcome(() => assertMayAttach(undefined, author, since))).toBe('not_found');
  });
});

describe('reading', () => {
  it('[file.access] [file.gone] reveals a deletion only to agents that could read the file', () => {
    const tryRead = (more: Partial<AttachTarget>) =>
      getOutcome(() => assertMayRead({ ...attachable, ...more }, 'file'));
    expect(tryRead({})).toBe('ok');
    expect(tryRead({ role: null })).toBe('ok');
    expect(tryRead({ messageDeletedAt: since })).toBe('gone');
    expect(tryRead({ messageDeletedAt: since, roomVisibility: 'private', role: null })).toBe(
      'forbidden',
    );
    expect(tryRead({ messageDeletedAt: since, visibility: 'private', role: null })).toBe(
      'not_found',
    );
    expect(getOutcome(() => assertMayRead(undefined, 'file'))).toBe('not_found');
  });
});
