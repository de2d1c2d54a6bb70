import { expect, it } from 'vitest';
import { formatLine } from './terminal-log.ts';

it('[cli.terminal-log] shows a request as what was asked and answered', () => {
  const line = { level: 30, time: 1, pid: 2, requestId: 'r', msg: 'request', method: 'GET' };
  expect(formatLine({ ...line, operation: 'listRooms', status: 200, ms: 1.5, agentId: null })).toBe(
    'GET listRooms 200 1.5 ms',
  );
});

it('[cli.terminal-log] shows other lines with their facts, and long facts in short', () => {
  const line = { level: 30, time: 1, pid: 2, msg: 'migrated' };
  expect(formatLine(line)).toBe('migrated');
  expect(formatLine({ ...line, migrations: ['core', 'files'], by: 'x'.repeat(100) })).toBe(
    `migrated migrations=["core","files"] by=${'x'.repeat(80)}…`,
  );
});
