import {
  type ApiDocument,
  type ApiEntry,
  type ApiParameter,
  resolveReference,
} from '../../kernel/operation/api-document.ts';

/** Quotes a text so that a POSIX shell takes it literally. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const credentialHeaders: Readonly<Record<string, string>> = {
  agentKey: 'X-API-Key: $STOA_KEY',
  adminKey: 'X-Admin-Key: $STOA_ADMIN_KEY',
  contextKey: 'X-Context-Key: $STOA_CONTEXT_KEY',
};

function buildAddress(path: string, parameters: readonly ApiParameter[]): string {
  const encodeExample = ({ example }: ApiParameter): string => encodeURIComponent(String(example));
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const found = parameters.find((one) => one.in === 'path' && one.name === name);
    return found ? encodeExample(found) : whole;
  });
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${encodeExample(one)}`);
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

/** Builds a command that makes the call, with the credential in a shell variable. */
export function buildCurlCommand(
  api: ApiDocument,
  baseUrl: string,
  method: string,
  path: string,
  entry: ApiEntry,
): string {
  const parameters = entry.parameters.map((one) => resolveReference<ApiParameter>(api, one));
  // A command that works without a key shows none, so that it can be copied as it is.
  const isOpen = entry.security.some((one) => Object.keys(one).length === 0);
  const [scheme = ''] = isOpen ? [] : Object.keys(entry.security[0] ?? {});
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
