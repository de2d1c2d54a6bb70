import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { buildPythonClient } from '../../../scripts/clients/build-python-client.ts';
import type { AnyOperation } from '../../../src/kernel/operation/any-operation.ts';
import { operations } from '../../../src/operations.ts';

const registry = operations as unknown as readonly AnyOperation[];
const manifest = fileURLToPath(new URL('../../../package.json', import.meta.url));

it('[python.generated] is current: one file, made from the operations', async () => {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const stale = 'The client in Python is stale. Run: npx vitest run test/tools/python-client -u';
  await expect(buildPythonClient(registry, version), stale).toMatchFileSnapshot(
    '../../../client/python/stoa_client.py',
  );
});
