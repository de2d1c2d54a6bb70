import type { ApiDocument, ApiEntry } from '../../kernel/operation/api-document.ts';
import { findExampleCall, keys } from './example-call.ts';
import { python, renderItems, renderValue, SourceText } from './example-values.ts';

/** Words that are names of members, and no names in Python. */
const pythonKeywords = ['class', 'from', 'global', 'import', 'in', 'is', 'pass', 'with'];

/** Converts a name as the client in Python does. */
export function toPythonName(name: string): string {
  const snake = name
    .replace(/-/g, '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return pythonKeywords.includes(snake) ? `${snake}_` : snake;
}

/** Builds the call in Python; null if the client has no method for it. */
export function buildPythonExample(
  ...place: [api: ApiDocument, baseUrl: string, path: string, entry: ApiEntry]
): string | null {
  const call = findExampleCall(...place, (name) => `os.environ["${name}"]`);
  if (call === null) return null;
  const key = keys[call.keyKind];
  const file = call.sendsFile ? { name: 'notes.txt', content: new SourceText('b"a,b"') } : {};
  const keywords = Object.entries({ ...file, ...call.query, ...call.body });
  const items = [
    ...Object.values(call.path).map(
      (value) => (indent: string) => renderValue(value, python, indent),
    ),
    ...keywords.map(
      ([name, value]) =>
        (indent: string) =>
          `${toPythonName(name)}=${renderValue(value, python, indent)}`,
    ),
  ];
  const method = `client.${toPythonName(call.name)}(`;
  const begin = call.isStream ? `for event in ${method}` : `answer = ${method}`;
  const options = [
    () => JSON.stringify(call.baseUrl),
    ...(key ? [() => `${key.python}=os.environ["${key.variable}"]`] : []),
  ];
  const usesEnvironment = key !== undefined || call.variables.length > 0;
  return `${usesEnvironment ? 'import os\n\n' : ''}from stoa_client import Client

${renderItems('client = Client(', options, ')')}
${
  call.isStream
    ? `${renderItems(begin, items, ')')}:\n    print(event)`
    : `${renderItems(begin, items, ')')}\nprint(answer)`
}
`;
}
