import { readFileSync } from 'node:fs';
import { type Accent, computeLeastContrast, LEAST_CONTRAST } from './kernel/html/accent.ts';
import { type Parse, SettingError } from './setting-parsers.ts';

/* Parsers for what an installation says of itself. An empty value counts as none. */

/** The rules are a page for people, not a library. */
const MAX_RULES_BYTES = 64 * 1024;

/** Parses one line of text of at most `length` characters, which is shown as it is. */
export const line =
  <D extends string | null>(fallback: D, length: number): Parse<string | D> =>
  (value, name) => {
    const given = value?.trim() ?? '';
    if (given === '') return fallback;
    if ([...given].length > length || /\p{C}/u.test(given))
      throw new SettingError(name, `must be one line of at most ${length} visible characters.`);
    return given;
  };

/** Parses two colors, for the light and for the dark scheme, and holds them to their grounds. */
export const accent: Parse<Accent | null> = (value, name) => {
  if (value === undefined || value === '') return null;
  const [, light = '', dark = ''] =
    /^\s*(#[0-9a-f]{6})\s*,\s*(#[0-9a-f]{6})\s*$/.exec(value.toLowerCase()) ?? [];
  if (light === '')
    throw new SettingError(
      name,
      'must be two colors, for light and for dark pages, such as #1f4f8a,#9cc4f5.',
    );
  for (const [scheme, color] of Object.entries({ light, dark })) {
    const contrast = computeLeastContrast(color, scheme as keyof Accent);
    if (contrast < LEAST_CONTRAST)
      throw new SettingError(
        name,
        `has ${color} for ${scheme} pages, whose contrast is ${contrast.toFixed(1)} there. Text ` +
          `needs ${LEAST_CONTRAST}: choose a ${scheme === 'light' ? 'darker' : 'lighter'} color.`,
      );
  }
  return { light, dark };
};

/** Reads the Markdown of a file. */
export const markdownFile: Parse<string | null> = (value, name) => {
  if (value === undefined || value === '') return null;
  const bytes = (() => {
    try {
      return readFileSync(value);
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      throw new SettingError(name, `must be a file that the service can read (${code}): ${value}.`);
    }
  })();
  if (bytes.length > MAX_RULES_BYTES)
    throw new SettingError(name, `must be a file of at most ${MAX_RULES_BYTES} bytes: ${value}.`);
  const text = bytes.toString('utf8').trim();
  return text === '' ? null : text;
};
