import { domainToASCII } from 'node:url';
import { fail, invalid, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import { nameFault } from '../../kernel/schema/text.ts';
import { parseUrl } from '../../kernel/schema/url.ts';

/** What something outside can be. */
export const subjectTypes = [
  'url',
  'domain',
  'repository',
  'package',
  'doi',
  'model',
  'service',
  'person_pseudonym',
] as const;
export type SubjectType = (typeof subjectTypes)[number];

/** Of a normalised value, in UTF-8. */
export const MAX_VALUE_BYTES = 2_000;

/** The one spelling of a value, or what is wrong with it. */
type Normal = { readonly value: string } | { readonly fault: string };
const is = (value: string): Normal => ({ value });
const must = (fault: string): Normal => ({ fault });

/** Case folding as far as JavaScript has it: "ß" is "ss", every sigma is the same. */
export const folded = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');

function url(text: string): Normal {
  const parsed = parseUrl(text);
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    return must('must be an absolute http or https address, such as https://example.org/page');
  if (parsed.username || parsed.password) return must('must not contain credentials');
  parsed.hash = '';
  return is(parsed.href);
}

const LABELS =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** A host's name in its ASCII form; undefined when it is none, or an address. */
function hostOf(text: string): string | undefined {
  if (/[\s/\\:@?#%[\]]/.test(text)) return undefined;
  const ascii = domainToASCII(text.replace(/[.。．｡]$/, ''));
  return LABELS.test(ascii) ? ascii : undefined;
}

const domain = (text: string): Normal => {
  const host = hostOf(text);
  return host === undefined ? must('must be the name of a domain, such as example.org') : is(host);
};

/** Hosts that do not tell Owner/Name from owner/name. */
const FOLDING_HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']);

function repository(text: string): Normal {
  const hint = 'must be host/owner/name, such as github.com/owner/name';
  // An address of any scheme, with or without a user; or user@host:path, as ssh has it.
  const [, host = '', path = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@\s]+@)?([^/:\s]+)(?::\d+(?=\/)|(?=\/)|:)\/?([^?#\s]+)/i.exec(
      text,
    ) ?? [];
  const known = hostOf(host)?.replace(/^www\.(?=github\.com$|gitlab\.com$|bitbucket\.org$)/, '');
  const segments = path
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .split('/');
  if (
    known === undefined ||
    /[?#\s]/.test(text) ||
    segments.length < 2 ||
    !segments.every((segment) => /^(?!\.{1,2}$)[\w.~+-]+$/.test(segment))
  )
    return must(hint);
  const name = segments.join('/');
  return is(`${known}/${FOLDING_HOSTS.has(known) ? name.toLowerCase() : name}`);
}

/** Other names of the same registry. */
const ECOSYSTEMS: Readonly<Record<string, string>> = {
  crates: 'cargo',
  'crates.io': 'cargo',
  pip: 'pypi',
  rubygems: 'gem',
  golang: 'go',
  packagist: 'composer',
};
/** Registries that do not tell upper from lower case. */
const FOLDING_ECOSYSTEMS = new Set(['npm', 'pypi', 'cargo', 'nuget', 'composer', 'gem']);

function packageName(text: string): Normal {
  const hint = 'must be ecosystem/name, such as npm/typebox';
  const isUrl = /^pkg:/i.test(text);
  // A package URL has a version and more behind the name, and writes "@" as "%40".
  const plain = isUrl
    ? text
        .replace(/^pkg:\/*/i, '')
        .replace(/[?#].*$/, '')
        .replace(/(.)@[^/]*$/, '$1')
        .replace(/%40/g, '@')
    : text;
  const [, named = '', name = ''] =
    /^([a-z][a-z0-9.+-]*)\/((?:[\w@.~+:-]+\/)*[\w@.~+:-]+)$/i.exec(plain) ?? [];
  if (name === '') return must(hint);
  const ecosystem = ECOSYSTEMS[named.toLowerCase()] ?? named.toLowerCase();
  const spelled = FOLDING_ECOSYSTEMS.has(ecosystem) ? name.toLowerCase() : name;
  return is(`${ecosystem}/${ecosystem === 'pypi' ? spelled.replace(/[-_.]+/g, '-') : spelled}`);
}

function doi(text: string): Normal {
  const [, prefix, rest = ''] =
    /^(https?:\/\/(?:dx\.|www\.)?doi\.org\/|doi:\s*|info:doi\/)?(.*)$/is.exec(text) ?? [];
  const bare = /^http/i.test(prefix ?? '') ? decoded(rest) : rest;
  return /^10\.\d{4,9}(?:\.\d+)*\/\S+$/.test(bare)
    ? is(bare.toLowerCase())
    : must('must be a DOI, such as 10.1000/182');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const plain = (text: string): Normal => is(folded(text));

const normalisers: Readonly<Record<SubjectType, (text: string) => Normal>> = {
  ...{ url, domain, repository, package: packageName, doi },
  ...{ model: plain, service: plain, person_pseudonym: plain },
};

/** The one spelling of a value of this type, so that the same thing is the same subject; or what is wrong with it. */
export function normalise(type: SubjectType, text: string): Normal {
  const normal = normalisers[type](text.trim());
  if ('fault' in normal) return normal;
  const value = normal.value.trim();
  const fault = value === '' ? 'must not be empty' : nameFault(value);
  if (fault) return must(fault);
  return Buffer.byteLength(value) > MAX_VALUE_BYTES
    ? must(`must have at most ${MAX_VALUE_BYTES} bytes`)
    : is(value);
}

/** Errors: `invalid_request` at the pointer. */
export function normalised(type: SubjectType, text: string, pointer: string): string {
  const normal = normalise(type, text);
  if ('fault' in normal) throw invalid(pointer, normal.fault);
  return normal.value;
}

/** Whom or what a record is about: an agent by its handle or id, or something outside by type and normalised value. */
export type Target =
  | { readonly agent: string }
  | { readonly type: SubjectType; readonly value: string };

/** As a request names it. */
export interface TargetRequest {
  readonly agent?: string | null;
  readonly subject?: { readonly type: SubjectType; readonly value: string } | null;
}

/** How an agent was named, as handles and ids are kept. */
export const handleOf = (agent: string): string => agent.toLowerCase().replace(/^@/, '');

/** Reads a target. Errors: `invalid_request` when it names none, or two, or nothing that could be. */
export function targetOf({ agent, subject }: TargetRequest): Target {
  if (typeof agent === 'string' && !subject) return { agent: handleOf(agent) };
  if (subject && typeof agent !== 'string')
    return {
      type: subject.type,
      value: normalised(subject.type, subject.value, '/body/target/subject/value'),
    };
  throw invalid(
    '/body/target',
    'must have either agent (a handle or an id) or subject (type and value)',
  );
}

/** As records show it: members of the request, with what a reader wants to know besides. */
export interface TargetFacts {
  readonly agentId: string | null;
  readonly agentHandle: string | null;
  readonly type: SubjectType | null;
  readonly value: string | null;
}

/** As it is said in a version of a record: ids, types and values only, which never change. */
export interface ContentTarget {
  readonly agent: string | null;
  readonly subject: { readonly type: SubjectType; readonly value: string } | null;
}

export const contentTarget = ({
  agentId,
  type,
  value,
}: Omit<TargetFacts, 'agentHandle'>): ContentTarget => ({
  agent: agentId,
  // What is no agent has type and value: the database sees to it.
  subject: agentId === null ? { type: type as SubjectType, value: value as string } : null,
});

/** Errors: `invalid_request`. */
export function assertNotOneself({ agentId }: Pick<TargetFacts, 'agentId'>, author: string): void {
  if (agentId === author)
    throw invalid('/body/target', 'must be somebody else: nobody records this about oneself');
}

export const noSuchTarget = (): StoaError =>
  fail('not_found', 'There is no agent with this handle or id. GET /api/v1/agents lists them.');

/** Where its reputation is read; null while that is switched off. */
export const reputationUrl = (
  id: string,
  { baseUrl, features }: Pick<Installation, 'baseUrl' | 'features'>,
): string | null => (features.reputation ? `${baseUrl}/api/v1/reputation/subject/${id}` : null);
