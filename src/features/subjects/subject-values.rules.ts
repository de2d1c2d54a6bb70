import { failField } from '../../kernel/errors.ts';
import { findNameFault } from '../../kernel/schema/text.ts';
import { normaliseDomain, normaliseRepository, normaliseUrl } from './address-values.rules.ts';
import { type NormaliseResult, toFault, toNormal } from './normalise-result.rules.ts';

/** Types of subjects outside of this service. */
export const externalSubjectTypes = [
  'url',
  'domain',
  'repository',
  'package',
  'doi',
  'model',
  'service',
  'person_pseudonym',
] as const;

/** The type of a subject outside of this service. */
export type ExternalSubjectType = (typeof externalSubjectTypes)[number];

/** Limit of a normalised value, in bytes of UTF-8. */
export const MAX_VALUE_BYTES = 2_000;

/** Folds case as far as JavaScript can: "ß" becomes "ss", and every sigma becomes the same. */
export const foldCase = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');

/** Other names of the same package registry. */
const ecosystemAliases: Readonly<Record<string, string>> = {
  crates: 'cargo',
  'crates.io': 'cargo',
  pip: 'pypi',
  rubygems: 'gem',
  golang: 'go',
  packagist: 'composer',
};

/** Registries that ignore case in names. */
const caseInsensitiveEcosystems = new Set(['npm', 'pypi', 'cargo', 'nuget', 'composer', 'gem']);

/** Removes what follows an "@" in the last part of a path, unless the path begins with it. */
function removeVersion(path: string): string {
  const at = path.indexOf('@', Math.max(1, path.lastIndexOf('/') + 1));
  return at < 0 ? path : path.slice(0, at);
}

function normalisePackage(text: string): NormaliseResult {
  const hint = 'must be ecosystem/name, such as npm/typebox';
  const isUrl = /^pkg:/i.test(text);
  // A package URL may have a version, qualifiers and a subpath after the name, and "%40" for "@".
  const bareText = isUrl
    ? removeVersion(text.replace(/^pkg:\/*/i, '').replace(/[?#].*$/s, '')).replace(/%40/g, '@')
    : text;
  const [, named = '', name = ''] =
    /^([a-z][a-z0-9.+-]*)\/((?:[\w@.~+:-]+\/)*[\w@.~+:-]+)$/i.exec(bareText) ?? [];
  if (name === '') return toFault(hint);
  const ecosystem = ecosystemAliases[named.toLowerCase()] ?? named.toLowerCase();
  const spelled = caseInsensitiveEcosystems.has(ecosystem) ? name.toLowerCase() : name;
  return toNormal(
    `${ecosystem}/${ecosystem === 'pypi' ? spelled.replace(/[-_.]+/g, '-') : spelled}`,
  );
}

function normaliseDoi(text: string): NormaliseResult {
  const [, prefix, rest = ''] =
    /^(https?:\/\/(?:dx\.|www\.)?doi\.org\/|doi:\s*|info:doi\/)?(.*)$/is.exec(text) ?? [];
  const bare = /^http/i.test(prefix ?? '') ? tryDecode(rest) : rest;
  return /^10\.\d{4,9}(?:\.\d+)*\/\S+$/.test(bare)
    ? toNormal(bare.toLowerCase())
    : toFault('must be a DOI, such as 10.1000/182');
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const normaliseText = (text: string): NormaliseResult => toNormal(foldCase(text));

const normalisers: Readonly<Record<ExternalSubjectType, (text: string) => NormaliseResult>> = {
  url: normaliseUrl,
  domain: normaliseDomain,
  repository: normaliseRepository,
  package: normalisePackage,
  doi: normaliseDoi,
  model: normaliseText,
  service: normaliseText,
  person_pseudonym: normaliseText,
};

/**
 * Returns the one spelling of a value of this type, so that the same thing is always the same
 * subject. For an invalid value it returns what is wrong with it.
 */
export function normalise(type: ExternalSubjectType, text: string): NormaliseResult {
  const normal = normalisers[type](text.trim());
  if ('fault' in normal) return normal;
  const value = normal.value.trim();
  const fault = value === '' ? 'must not be empty' : findNameFault(value);
  if (fault) return toFault(fault);
  return Buffer.byteLength(value) > MAX_VALUE_BYTES
    ? toFault(`must have at most ${MAX_VALUE_BYTES} bytes`)
    : toNormal(value);
}

/** Returns the one spelling of a value. Errors: `invalid_request` at the pointer. */
export function parseValue(type: ExternalSubjectType, text: string, pointer: string): string {
  const normal = normalise(type, text);
  if ('fault' in normal) throw failField(pointer, normal.fault);
  return normal.value;
}
