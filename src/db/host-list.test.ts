import { describe, expect, it } from 'vitest';
import { findAddressFault, parseHostList } from './host-list.ts';

const ADDRESS =
  'postgres://stoa:p%40ss@one.example:5433,two.example,[::1]:5434/db?sslmode=require' +
  '&target_session_attrs=read-write';

describe('parseHostList', () => {
  it('[db.several-hosts] goes round the hosts', () => {
    const list = parseHostList(ADDRESS);
    const seen = Array.from({ length: 4 }, () => {
      const current = list?.current ?? '';
      list?.leave(current);
      return current;
    });
    expect(seen).toEqual([
      'postgres://stoa:p%40ss@one.example:5433/db?sslmode=require',
      'postgres://stoa:p%40ss@two.example/db?sslmode=require',
      'postgres://stoa:p%40ss@[::1]:5434/db?sslmode=require',
      'postgres://stoa:p%40ss@one.example:5433/db?sslmode=require',
    ]);
  });

  it('[db.several-hosts] leaves a server once, however many notice', () => {
    const list = parseHostList(ADDRESS);
    const first = list?.current ?? '';
    list?.leave(first);
    list?.leave(first);
    expect(list?.current).toContain('two.example');
  });

  it('[db.frozen-host] passes over a server that did not answer, unless all do not', () => {
    const list = parseHostList(ADDRESS);
    const leave = (times: number, how: 'leave' | 'leaveSilent' = 'leave') =>
      Array.from({ length: times }, () => {
        list?.[how](list.current);
        return new URL(list?.current ?? '').hostname;
      });
    leave(1, 'leaveSilent');
    expect(leave(9)).toEqual([
      ...['[::1]', 'two.example', '[::1]', 'two.example', '[::1]', 'two.example', '[::1]'],
      ...['two.example', '[::1]'],
    ]);
    expect(leave(1)).toEqual(['one.example']);
    expect(new Set(leave(6, 'leaveSilent')).size).toBe(3);
  });

  it('[db.several-hosts] leaves an address with one host to the driver', () => {
    expect(parseHostList('postgres://stoa:a,b@one.example/db')).toBeNull();
    expect(parseHostList('postgres://one.example/db?target_session_attrs=primary')?.size).toBe(1);
  });
});

it.for([
  [ADDRESS, null],
  ['postgres://one/db', null],
  ['postgres://one,two/db?target_session_attrs=standby', /must have target_session_attrs/],
  ['postgres://one:x,two:5432/db', /must have a host such as/],
  ['postgres://stoa@/db?host=/run/postgresql', /For a socket write localhost/],
  ['postgres://stoa@localhost/db?host=/run/postgresql', null],
  ['postgres:///db?target_session_attrs=read-write', /must have a host such as/],
] as const)('[db.several-hosts] %s', ([address, fault]) => {
  if (fault === null) expect(findAddressFault(address)).toBeNull();
  else expect(findAddressFault(address)).toMatch(fault);
});
