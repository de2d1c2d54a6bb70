import {
  type ApiDocument,
  type ApiEntry,
  type ApiParameter,
  resolveReference,
} from '../../kernel/operation/api-document.ts';
import { listPlaceholders } from './placeholders.ts';

/** Quotes a text so that a POSIX shell takes it literally. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const credentialHeaders: Readonly<Record<string, string>> = {
  agentKey: 'X-API-Key: $STOA_KEY',
  adminKey: 'X-Admin-Key: $STOA_ADMIN_KEY',
  contextKey: 'X-Context-Key: $STOA_CONTEXT_KEY',
};

/** Builds the address with examples, and with variables for ids. */
function buildAddress(path: string, parameters: readonly ApiParameter[]): string {
  const placeholders = listPlaceholders(path, parameters);
  const fill = ({ name, example }: ApiParameter): string => {
    const placeholder = placeholders.find((one) => one.name === name);
    return placeholder ? `$${placeholder.variable}` : encodeURIComponent(String(example));
  };
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const found = parameters.find((one) => one.in === 'path' && one.name === name);
    return found ? fill(found) : whole;
  });
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${fill(one)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function buildBodyArguments({ requestBody }: ApiEntry): string[] {
  const [media, { example } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (media === 'application/json')
    return [`-H 'content-type: application/json'`, `-d ${quoteForShell(JSON.stringify(example))}`];
  if (media === 'multipart/form-data') return [`-F 'file=@notes.txt'`];
  const fields = Object.entries((example ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== null,
  );
  return fields.map(([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`);
}

/** Returns the kind of key that a call needs; empty if it works without one. */
export function findKeyKind({ security }: ApiEntry): string {
  // A command that works without a key shows none, so that it can be copied as it is.
  const isOpen = security.some((one) => Object.keys(one).length === 0);
  return (isOpen ? undefined : Object.keys(security[0] ?? {})[0]) ?? '';
}

/** Builds a command that makes the call, with the credential in a shell variable. */
export function buildCurlCommand(
  api: ApiDocument,
  baseUrl: string,
  method: string,
  path: string,
  entry: ApiEntry,
): string {
  const parameters = entry.parameters.map((one) => resolveReference<ApiParameter>(api, one));
  const scheme = findKeyKind(entry);
  const needsIdempotency = parameters.some(
    ({ name, required }) => name === 'Idempotency-Key' && required,
  );
  // curl sends GET by default, and POST if there is a body.
  const defaultMethod = entry.requestBody ? 'POST' : 'GET';
  const methodOption = method === defaultMethod ? '' : ` -X ${method}`;
  const parts = [
    `curl -s${methodOption} "${baseUrl}${buildAddress(path, parameters)}"`,
    ...(credentialHeaders[scheme] ? [`-H "${credentialHeaders[scheme]}"`] : []),
    ...(needsIdempotency ? ['-H "Idempotency-Key: $(head -c 16 /dev/urandom | base64)"'] : []),
    ...buildBodyArguments(entry),
  ];
  return parts.join(' \\\n  ');
}
