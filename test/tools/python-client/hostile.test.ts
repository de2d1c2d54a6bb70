import { expect, it } from 'vitest';
import { runPython } from './python.ts';

/** Runs a program that has the client as `s`, and returns what it printed. */
async function run(program: string): Promise<string> {
  const { code, out, err } = await runPython(['-c', `import stoa_client as s\n${program}`]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

it('[attack.7-5] (API10) an agent in Python waits an hour at most', async () => {
  const out = await run(`
from email.message import Message
for asked in ("99999999999", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"):
    headers = Message()
    headers["Retry-After"] = asked
    print(s.find_pause(1, s.StoaApiError(429, None, headers)))`);
  expect(out).toBe('3600.0\n'.repeat(3));
});
