import { findAddressFault } from './db/host-list.ts';
import { parseUrl } from './kernel/schema/url.ts';
import type { TestName } from './outgoing/test-network.ts';

/* Parsers for the values of environment variables. An empty value counts as none. */

/**
 * A setting that the service cannot start with: the message names the variable and says what to
 * set.
 */
export class SettingError extends Error {
  constructor(name: string, detail: string) {
    super(`${name} ${detail}`);
    this.name = 'SettingError';
  }
}

/** Parses the value of the variable `name`. Errors: SettingError. */
export type Parse<T> = (text: string | undefined, name: string) => T;

export const text =
  <D extends string | null>(fallback: D): Parse<string | D> =>
  (value) =>
    value === undefined || value === '' ? fallback : value;

export const integer =
  (fallback: number, minimum: number, maximum: number): Parse<number> =>
  (value, name) => {
    if (value === undefined || value === '') return fallback;
    const number = Number(value);
    if (!Number.isInteger(number) || number < minimum || number > maximum)
      throw new SettingError(
        name,
        `must be a whole number from ${minimum} to ${maximum}, not "${value}".`,
      );
    return number;
  };

export const flag =
  (fallback: boolean): Parse<boolean> =>
  (value, name) => {
    if (value === undefined || value === '') return fallback;
    if (/^(on|true|1|yes)$/i.test(value)) return true;
    if (/^(off|false|0|no)$/i.test(value)) return false;
    throw new SettingError(name, `must be "on" or "off", not "${value}".`);
  };

/** A switch whose default follows from other settings. */
export const optionalFlag: Parse<boolean | null> = (value, name) =>
  value === undefined || value === '' ? null : flag(false)(value, name);

const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Whether a browser can send secrets to an address and nobody on the way can read them. */
export function mayCarrySecrets(baseUrl: string | null, host: string): boolean {
  const url = baseUrl === null ? null : parseUrl(baseUrl);
  return url?.protocol === 'https:' || LOOPBACK_HOST.test(url?.hostname ?? host);
}

export const pattern =
  <D extends string | null>(fallback: D, shape: RegExp, hint: string): Parse<string | D> =>
  (value, name) => {
    if (value === undefined || value === '') return fallback;
    if (!shape.test(value)) throw new SettingError(name, `must be ${hint}.`);
    return value;
  };

export const choice =
  <const Words extends readonly string[]>(
    fallback: Words[number],
    words: Words,
  ): Parse<Words[number]> =>
  (value, name) => {
    if (value === undefined || value === '') return fallback;
    const found = words.find((word) => word === value.toLowerCase());
    if (found === undefined)
      throw new SettingError(name, `must be one of ${words.join(', ')}, not "${value}".`);
    return found;
  };

export const baseUrl: Parse<string | null> = (value, name) => {
  if (value === undefined || value === '') return null;
  // It is the issuer of receipts and, without its scheme, the name of the log: neither has
  // credentials, nor a "+" in it (C2SP signed-note). Verifiers take host names as DNS has them,
  // international ones in their ASCII form.
  if (!/^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i.test(value) || !parseUrl(value))
    throw new SettingError(
      name,
      'must be an address without path and credentials, such as https://stoa.example.org.',
    );
  return value;
};

export const postgresUrl: Parse<string | null> = (value, name) => {
  if (value === undefined || value === '') return null;
  if (!/^postgres(ql)?:\/\//.test(value))
    throw new SettingError(
      name,
      'must be a PostgreSQL address, such as postgres://user:password@host:5432/stoa.',
    );
  const fault = findAddressFault(value);
  if (fault !== null) throw new SettingError(name, fault);
  return value;
};

/** Where the bytes of files are: null for a folder under DATA_DIR. */
export const fileStore: Parse<{ readonly bucket: string; readonly prefix: string } | null> = (
  value,
  name,
) => {
  if (value === undefined || value === '' || value === 'DATA_DIR') return null;
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(value) ?? [];
  if (bucket === undefined)
    throw new SettingError(
      name,
      'must be DATA_DIR, or a bucket and a prefix for its keys, such as s3://my-bucket/stoa.',
    );
  return { bucket, prefix: prefix.split('/').filter(Boolean).join('/') };
};

export const endpoint: Parse<string | null> = (value, name) => {
  if (value === undefined || value === '') return null;
  if (!/^https?:\/\/[^/?#@]+\/?$/.test(value) || !parseUrl(value))
    throw new SettingError(name, 'must be an address without path, such as http://127.0.0.1:9000.');
  return value.replace(/\/$/, '');
};

/** Headers as OpenTelemetry takes them: `name=value`, separated by commas, percent-encoded. */
export const headerList: Parse<Readonly<Record<string, string>>> = (value, name) => {
  const pairs = (value ?? '').split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key, text] = /^\s*([A-Za-z0-9-]+)\s*=\s*([^\s=].*?)\s*$/.exec(pair) ?? [];
      const decoded = text === undefined ? undefined : decodeHeader(text);
      if (key === undefined || decoded === undefined)
        throw new SettingError(name, 'must be headers such as api-key=s3cr3t,x-tenant=blue.');
      return [key, decoded];
    }),
  );
};

function decodeHeader(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return /\p{Cc}/u.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** A share from 0 to 1, all by default. */
export const share: Parse<number> = (value, name) => {
  if (value === undefined || value === '') return 1;
  if (!/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(value))
    throw new SettingError(name, 'must be a share from 0 to 1, such as 0.05.');
  return Number(value);
};

export const adminKeys: Parse<readonly string[]> = (value, name) => {
  const keys = (value ?? '').split(',').map((key) => key.trim());
  const given = keys.filter((key) => key !== '');
  if (given.some((key) => key.length < 32))
    throw new SettingError(
      name,
      'must be keys of at least 32 characters, separated by commas. To make one: stoa ' +
        'admin-key create.',
    );
  return given;
};

/** Addresses as RFC 9116 takes them, separated by commas. */
export const contacts: Parse<readonly string[]> = (value, name) => {
  const given = (value ?? '').split(',').map((one) => one.trim());
  const named = given.filter((one) => one !== '');
  if (
    named.some(
      (one) => !/^(?:https:\/\/[^/\s]|mailto:[^@\s]+@[^@\s]|tel:\+?[\d-])[^\s]*$/.test(one),
    )
  )
    throw new SettingError(
      name,
      'must be addresses such as mailto:security@example.org or ' +
        'https://example.org/security, separated by commas.',
    );
  return named;
};

export const hexKey = pattern(
  null,
  /^[0-9a-f]{64}$/,
  '32 random bytes as 64 lowercase hex digits; make one with: openssl rand -hex 32',
);

/**
 * Names that tests resolve themselves: name=claimed-address=host:port. Null when there are none.
 */
export const testNames: Parse<readonly TestName[] | null> = (value, name) => {
  if (value === undefined || value === '') return null;
  return value.split(',').map((part) => {
    const [, known = '', claimed = '', host = '', port = ''] =
      /^\s*([^=\s]+)=([^=\s]+)=\[?([\d.:a-f]+?)\]?:(\d{1,5})\s*$/i.exec(part) ?? [];
    if (known === '')
      throw new SettingError(
        name,
        'must be names with their addresses, such as ' +
          'hooks.example=93.184.216.34=127.0.0.1:4433, separated by commas.',
      );
    return {
      name: known.toLowerCase(),
      claimed: claimed.replace(/^\[|\]$/g, ''),
      host,
      port: Number(port),
    };
  });
};
