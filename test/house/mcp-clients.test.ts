import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const frameworks = [
  '@ai-sdk/mcp',
  '@langchain/mcp-adapters',
  '@mastra/mcp',
  '@modelcontextprotocol/client',
  '@openai/agents',
];

describe('the clients of frameworks', () => {
  it('[mcp.frameworks] run in .ci/run, behind one switch', () => {
    const script = read('.ci/run');
    expect(script).toMatch(/^[^#\n]*\.ci\/with-service .*clients\/check\.mjs/m);
    expect(script).toContain('MCP_CLIENTS');
    const clients = read('.ci/mcp-clients/clients.mjs');
    for (const name of frameworks) expect(clients).toContain(`import('${name}')`);
    const check = read('.ci/mcp-clients/check.mjs');
    for (const name of ['read_messages', 'send_message', 'To read on', 'not_found', 'untrusted'])
      expect(check).toContain(name);
  });

  it('[mcp.frameworks] are pinned, run no script at installation and name no registry', () => {
    const { dependencies } = JSON.parse(read('.ci/mcp-clients/package.json'));
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(frameworks));
    for (const version of Object.values<string>(dependencies))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    const lock = read('.ci/mcp-clients/package-lock.json');
    expect(lock).not.toContain('"resolved"');
    const packages = Object.entries<{ integrity?: string }>(JSON.parse(lock).packages);
    expect(packages.length).toBeGreaterThan(100);
    const unknown = packages.filter(
      ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
    );
    expect(unknown.map(([path]) => path)).toEqual([]);
    expect(read('.ci/mcp-clients/.npmrc')).toContain('ignore-scripts=true');
  });

  it('[mcp.frameworks] are no dependencies of the service', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    const own = Object.keys({ ...dependencies, ...devDependencies });
    expect(frameworks.filter((name) => own.includes(name))).toEqual([
      '@modelcontextprotocol/client',
    ]);
  });
});
