import type { AnyOperation } from '../../src/kernel/operation/any-operation.ts';
import { listIds } from './list-ids.ts';

/**
 * Builds the text of client/src/generated/routes.ts, which has everything that the client needs at
 * run time, so the client does not import the service. Forms are for browsers and left out.
 */
export function buildRoutesSource(operations: readonly AnyOperation[]): string {
  const callable = operations.filter(({ kind }) => kind !== 'form');
  const lines = callable.map((operation) => {
    const { name, method, path, kind, auth } = operation;
    const members = [`method: '${method}'`, `path: '${path}'`, `kind: '${kind}'`];
    if (auth === 'context') members.push(`auth: '${auth}'`);
    const ids = listIds(operation).map((id) => `'${id}'`);
    if (ids.length > 0) members.push(`ids: [${ids.join(', ')}]`);
    const line = `  ${name}: { ${members.join(', ')} },`;
    // The formatter breaks longer lines like this.
    if (line.length <= 100) return `${line}\n`;
    return `  ${name}: {\n${members.map((member) => `    ${member},\n`).join('')}  },\n`;
  });
  return (
    `// Made from the operations by: npx vitest run client -u\n\nexport const routes = ` +
    `{\n${lines.join('')}} as const;\n`
  );
}
