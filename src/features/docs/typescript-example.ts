import type { ApiDocument, ApiEntry } from '../../kernel/operation/api-document.ts';
import { findExampleCall, keys } from './example-call.ts';
import { renderValue, SourceText, typescript } from './example-values.ts';

const omitEmpty = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) =>
        value instanceof SourceText || (value !== null && Object.keys(value as object).length > 0),
    ),
  );

/** Builds the call in TypeScript; null if the client has no method for it. */
export function buildTypescriptExample(
  ...place: [api: ApiDocument, baseUrl: string, path: string, entry: ApiEntry]
): string | null {
  const call = findExampleCall(...place, (name) => name);
  if (call === null) return null;
  const key = keys[call.keyKind];
  const variables = [...(key ? [key.variable] : []), ...call.variables];
  const input = omitEmpty({
    params: call.path,
    query: call.query,
    body: call.body,
    file: call.sendsFile ? new SourceText("new File(['a,b'], 'notes.txt')") : null,
  });
  const options = {
    baseUrl: call.baseUrl,
    ...(key && { [key.typescript]: new SourceText(key.variable) }),
  };
  const begin = 'const client = createClient(';
  const method = `const answer = await client.${call.name}(`;
  const hasInput = Object.keys(input).length > 0;
  const argument = hasInput ? renderValue(input, typescript, '', method.length + 2) : '';
  return `import { createClient } from 'stoa-client';

${
  variables.length > 0
    ? `const { ${variables.map((name) => `${name} = ''`).join(', ')} } = process.env;\n`
    : ''
}${begin}${renderValue(options, typescript, '', begin.length + 2)});
${method}${argument});
console.log(answer);
`;
}
