import {
  type ApiDocument,
  type ApiEntry,
  type ApiParameter,
  resolved,
} from '../../kernel/operation/api-document.ts';

/** How a shell takes a text as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const keys: Readonly<Record<string, string>> = {
  agentKey: 'X-API-Key: $STOA_KEY',
  adminKey: 'X-Admin-Key: $STOA_ADMIN_KEY',
  contextKey: 'X-Context-Key: $STOA_CONTEXT_KEY',
};

function addressOf(path: string, parameters: readonly ApiParameter[]): string {
  const value = ({ example }: ApiParameter): string => encodeURIComponent(String(example));
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const found = parameters.find((one) => one.in === 'path' && one.name === name);
    return found ? value(found) : whole;
  });
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${value(one)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function bodyOf({ requestBody }: ApiEntry): string[] {
  const [media, { example } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (media === 'application/json')
    return [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(example))}`];
  if (media === 'multipart/form-data') return [`-F 'file=@notes.txt'`];
  const fields = Object.entries((example ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== null,
  );
  return fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
}

/** A command that makes the call, with the credential in a variable of the shell. */
export function curlOf(
  api: ApiDocument,
  baseUrl: string,
  method: string,
  path: string,
  entry: ApiEntry,
): string {
  const parameters = entry.parameters.map((one) => resolved<ApiParameter>(api, one));
  // Where anyone may read, no key is shown: without one the command works as it stands.
  const anyone = entry.security.some((one) => Object.keys(one).length === 0);
  const [scheme = ''] = anyone ? [] : Object.keys(entry.security[0] ?? {});
  const needsIdempotency = parameters.some(
    ({ name, required }) => name === 'Idempotency-Key' && required,
  );
  const parts = [
    `curl -s${method === 'GET' || entry.requestBody ? '' : ` -X ${method}`}${entry.requestBody && method !== 'POST' ? ` -X ${method}` : ''} "${baseUrl}${addressOf(path, parameters)}"`,
    ...(keys[scheme] ? [`-H "${keys[scheme]}"`] : []),
    ...(needsIdempotency ? ['-H "Idempotency-Key: $(head -c 16 /dev/urandom | base64)"'] : []),
    ...bodyOf(entry),
  ];
  return parts.join(' \\\n  ');
}
