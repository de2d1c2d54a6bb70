import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { toSnakeCase } from '../../../scripts/clients/python-names.ts';
import { buildPythonExample } from '../../../src/features/docs/python-example.ts';
import { buildTypescriptExample } from '../../../src/features/docs/typescript-example.ts';
import type { ApiDocument, ApiEntry } from '../../../src/kernel/operation/api-document.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { interpreter } from '../python-client/python.ts';

/* The examples of the reference call what they are about, and run as they are shown. */

const run = promisify(execFile);
const app = await startApp();
const f = factories(app);
const api: ApiDocument = app.app.env.openApi();
const root = fileURLToPath(new URL('../../../', import.meta.url));
// Below the project, so that `stoa-client` resolves to the built package as it does for a user.
const folder = join(root, 'node_modules', '.cache', `stoa-examples-${process.pid}`);
mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const places = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, entry]) => ({ path, method: method.toUpperCase(), entry })),
);
const buildExamples = (build: typeof buildPythonExample, list = places) =>
  list.flatMap(({ path, method, entry }) => {
    const text = build(api, app.url, path, entry);
    return text === null ? [] : [{ name: entry.operationId, method, path, text }];
  });

/** Runs a program with the variables that examples read, and returns what it prints. */
async function runProgram(command: string, name: string, text: string, more: object = {}) {
  const file = join(folder, name);
  writeFileSync(file, text);
  const { stdout } = await run(command, [file], {
    env: {
      PATH: process.env.PATH ?? '',
      PYTHONPATH: join(root, 'client', 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      ...more,
    },
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

const isForm = ({ requestBody }: ApiEntry) =>
  'application/x-www-form-urlencoded' in (requestBody?.content ?? {});
const callable = places.filter(({ entry, path }) => !isForm(entry) && path !== '/openapi.json');
/** The client calls the address of the manifest that does not depend on the service's name. */
const toPattern = (path: string) =>
  path.startsWith('/.well-known/stoa')
    ? /^\/\.well-known\/service/
    : new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '.+')}$`);

describe('the examples of the reference', () => {
  it('[docs.examples] in TypeScript make the call that they are about', async () => {
    const examples = buildExamples(buildTypescriptExample);
    expect(examples.map(({ name }) => name)).toEqual(
      callable.map(({ entry }) => entry.operationId),
    );
    for (const { name, text } of examples) writeFileSync(join(folder, `${name}.mjs`), text);
    const program = `const calls = [];
globalThis.fetch = async (url, { method = 'GET' } = {}) => {
  calls.push([method, String(url)]);
  return Response.json({});
};
console.log = () => {};
for (const name of ${JSON.stringify(examples.map(({ name }) => name))})
  await import('./' + name + '.mjs');
process.stdout.write(JSON.stringify(calls));
`;
    const variables = new Set(
      examples.flatMap(({ text }) => text.match(/\b[A-Z][A-Z_]+\b/g) ?? []),
    );
    // Most of them are ids, which the client checks.
    const env = Object.fromEntries([...variables].map((one) => [one, randomUUID()]));
    const calls = JSON.parse(await runProgram(process.execPath, 'all.mjs', program, env));
    expect(calls).toHaveLength(examples.length);
    for (const [index, { name, method, path }] of examples.entries()) {
      expect(calls[index][0], name).toBe(method);
      expect(new URL(calls[index][1]).pathname, name).toMatch(toPattern(path));
    }
  });

  it('[docs.examples] in Python fit the methods that they call', async () => {
    const examples = buildExamples(buildPythonExample);
    expect(examples).toHaveLength(callable.length);
    for (const { name, text } of examples) expect(text).toContain(`client.${toSnakeCase(name)}(`);
    const program = `import builtins, collections, json, os, types
import stoa_client
calls = []
def call(self, operation, **more):
    calls.append(operation)
    return types.SimpleNamespace(body={}, headers={}, status=200)
def stream(self, operation, **more):
    calls.append(operation)
    return iter(())
stoa_client.Caller.call = call
stoa_client.Caller.stream = stream
os.environ = collections.defaultdict(lambda: "x", os.environ)
for text in json.loads(${JSON.stringify(JSON.stringify(examples.map(({ text }) => text)))}):
    exec(text, {"print": lambda *words: None})
print(json.dumps(calls))
`;
    const calls = JSON.parse(await runProgram(interpreter, 'all.py', program));
    expect(calls).toEqual(examples.map(({ name }) => name));
  });

  it('[docs.examples] run as they are shown', async () => {
    const owner = await f.createAgent();
    const thread = await f.createThread(owner, await f.createRoom(owner));
    const { id } = await f.postMessage(owner, thread, 'To go.');
    const env = { STOA_KEY: owner.key, MESSAGE: id, THREAD: thread };
    const buildOne = (build: typeof buildPythonExample, name: string) => {
      const [found] = buildExamples(
        build,
        places.filter(({ entry }) => entry.operationId === name),
      );
      return found?.text ?? '';
    };
    const removal = buildOne(buildTypescriptExample, 'removeMessage');
    expect(await runProgram(process.execPath, 'one.mjs', removal, env)).toContain(id);
    const read = buildOne(buildPythonExample, 'getThread');
    expect(await runProgram(interpreter, 'one.py', read, env)).toContain(thread);
  });
});
