import { expect, it } from 'vitest';
import { startPretender } from '../../test/support/pretender.ts';
import { connect } from './import-service.ts';

it('[attack.7-5] (API10) an import waits an hour at most, and a second at least', async () => {
  const asks = ['99999999999', '-5', '0'];
  const { url } = await startPretender(() => {
    const asked = asks.shift();
    return asked === undefined
      ? { headers: { 'content-type': 'application/json' }, body: [] }
      : { status: 429, headers: { 'retry-after': asked } };
  });
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => void slept.push(milliseconds);
  const { anonymous } = connect({ url, sleep, say: () => {} });
  expect(await anonymous.listRooms()).toEqual([]);
  expect(slept).toEqual([3_600_000, 1000, 1000]);
});
