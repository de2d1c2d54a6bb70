import { fileURLToPath } from 'node:url';
import { Components, type JsonObject } from '../../src/http/openapi/components.ts';
import { errorTable } from '../../src/kernel/errors.ts';
import type { AnyOperation } from '../../src/kernel/operation/any-operation.ts';
import { createWording } from '../../src/kernel/operation/operation-references.ts';
import { listIds } from './list-ids.ts';
import { renderMethod } from './python-methods.ts';
import { toErrorClass, toSnakeCase } from './python-names.ts';
import { type PythonPart, readPythonPart, renderImports } from './python-parts.ts';
import { renderSource } from './python-text.ts';
import { PythonTypes } from './python-types.ts';

const folder = fileURLToPath(new URL('../../client/python/parts', import.meta.url));

/** What the generated parts need besides the imports of the hand-written ones. */
const generatedImports = ['Any', 'Dict', 'Iterator', 'List', 'Literal', 'Optional', 'TypedDict']
  .concat('Type', 'Union')
  .map((name) => `from typing import ${name}`);

function renderErrors(): string {
  const codes = Object.entries(errorTable);
  const classes = codes.map(
    ([code, { title }]) => `class ${toErrorClass(code)}(StoaApiError):\n    """${title}"""\n`,
  );
  const rows = codes.map(([code]) => `    "${code}": ${toErrorClass(code)},\n`);
  return (
    `${classes.join('\n\n')}\n\n#: The class of each error code.\n` +
    `ERROR_CLASSES: Dict[str, Type[StoaApiError]] = {\n${rows.join('')}}`
  );
}

function renderRoute(operation: AnyOperation): string {
  const { name, method, path, kind, auth, greedyPath } = operation;
  const members = [`"${method}"`, `"${path}"`];
  if (kind !== 'call') members.push(`"${kind}"`);
  if (auth === 'context') members.push('is_for_guests=True');
  if (greedyPath) members.push('is_greedy=True');
  const ids = listIds(operation).map((id) => `"${id}"`);
  if (ids.length > 0) members.push(`ids=(${ids.join(', ')}${ids.length === 1 ? ',' : ''})`);
  return renderSource({ open: `"${name}": Route(`, items: members, close: ')' }, '    ', ',');
}

const renderRoutes = (operations: readonly AnyOperation[]): string =>
  '#: How to call each operation.\n' +
  `ROUTES: Dict[str, Route] = {\n${operations.map(renderRoute).join('')}}`;

/** Asserts that no generated type has the name of something else in the file. */
function assertFreeNames(types: PythonTypes, parts: readonly PythonPart[]): void {
  const taken = new Set(
    parts
      .flatMap(({ imports, body }) => [
        ...imports,
        ...(body.match(/^(class|def) \w+|^\w+(?=:? )/gm) ?? []),
      ])
      .map((line) => line.replace(/^.* /, '')),
  );
  const clash = types.listNames().filter((name) => taken.has(name));
  if (clash.length > 0)
    throw new Error(`These names are taken in client/python/parts: ${clash.join(', ')}.`);
}

const renderSection = ({ title, body }: Pick<PythonPart, 'title' | 'body'>): string =>
  `# ${title}\n\n${body}\n`;

/**
 * Builds the text of client/python/stoa_client.py: the types and methods of all operations but
 * forms, which are for browsers, and the hand-written parts in client/python/parts. Its test
 * compares it with the file; `npx vitest run test/tools/python-client/generated -u` writes it.
 */
export function buildPythonClient(operations: readonly AnyOperation[], version: string): string {
  const callable = operations.filter(({ kind }) => kind !== 'form');
  const components = new Components();
  const fill = createWording(operations, ({ name }) => `${toSnakeCase(name)}()`, 'idempotency_key');
  const types = new PythonTypes(fill);
  const methods = callable.map((one) => renderMethod(one, { types, components, fill }));
  const { schemas = {} } = components.toJSON() as { schemas?: Record<string, JsonObject> };
  for (const [name, schema] of Object.entries(schemas)) types.declare(name, schema);
  const read = (name: string) => readPythonPart(folder, name);
  const start = read('__init__');
  const below = ['errors', 'streams', 'files', 'connections', 'calls'].map(read);
  const above = ['hints', 'state', 'patience', 'agent_event', 'agent_claim', 'agent'].map(read);
  const [errors, ...calls] = below;
  const parts = [...below, ...above];
  assertFreeNames(types, parts);
  const sections = [
    { title: 'Records on the wire.', body: types.renderAll().trim() },
    ...(errors ? [errors] : []),
    { title: 'An error for each code.', body: renderErrors() },
    ...calls,
    {
      title: 'The operations.',
      body:
        `${renderRoutes(callable)}\n\n\nclass Client(Caller):\n` +
        `    """A method for each operation. Create one with the address and a key."""\n\n` +
        methods.join('\n').trimEnd(),
    },
    ...above,
  ];
  const imports = renderImports([...generatedImports, ...parts.flatMap((part) => part.imports)]);
  return (
    `# Made from the operations by: npx vitest run test/tools/python-client/generated -u\n` +
    `"""${start.docstring}"""\n\nfrom __future__ import annotations\n\n${imports}\n` +
    `__version__ = "${version}"\n\n${sections.map(renderSection).join('\n\n')}`
  );
}
