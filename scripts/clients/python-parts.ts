import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A hand-written file of the Python client, in pieces. */
export interface PythonPart {
  /** Its imports from the standard library, one name each. */
  readonly imports: readonly string[];
  /** The first line of its docstring. */
  readonly title: string;
  readonly docstring: string;
  readonly body: string;
}

const DOCSTRING = /^"""([\s\S]*?)"""\n/;
/** What only tools that read one file need: the other files of the folder. */
const OWN_IMPORT = /^from \.\w* import (?:\([^)]*\)|[^\n(]*)\n/gm;
const TYPE_CHECKING = /^if TYPE_CHECKING:\n(?: {4}.*\n)+/gm;
const IMPORT = /^(?:import [\w.]+|from [\w.]+ import [^\n(]+)\n/gm;

/** Splits `from a import b, c` into one import for each name. */
function splitImport(line: string): string[] {
  const [, module, names] = /^from (\S+) import (.*)$/.exec(line) ?? [];
  if (module === undefined || names === undefined) return [line];
  return names.split(', ').map((name) => `from ${module} import ${name}`);
}

/** Reads a hand-written file and takes it apart. */
export function readPythonPart(folder: string, name: string): PythonPart {
  const text = readFileSync(join(folder, `${name}.py`), 'utf8');
  const docstring = DOCSTRING.exec(text)?.[1] ?? '';
  const rest = text
    .replace(DOCSTRING, '')
    .replace(/^from __future__ import annotations\n/m, '')
    .replace(OWN_IMPORT, '')
    .replace(TYPE_CHECKING, '');
  const imports = (rest.match(IMPORT) ?? []).flatMap((line) => splitImport(line.trim()));
  return {
    imports: imports.filter((line) => line !== 'from typing import TYPE_CHECKING'),
    title: docstring.trim().split('\n')[0] ?? '',
    docstring,
    body: rest.replace(IMPORT, '').trim(),
  };
}

/** Renders imports as one block: modules first, then names by module. */
export function renderImports(lines: readonly string[]): string {
  const modules = lines.filter((line) => line.startsWith('import '));
  const names = new Map<string, Set<string>>();
  for (const line of lines) {
    const [, module, name] = /^from (\S+) import (.*)$/.exec(line) ?? [];
    if (module === undefined || name === undefined) continue;
    names.set(module, (names.get(module) ?? new Set()).add(name));
  }
  const froms = [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(renderFrom);
  return `${[...new Set(modules)].sort().join('\n')}\n${froms.join('')}`;
}

function renderFrom([module, set]: readonly [string, ReadonlySet<string>]): string {
  const names = [...set].sort();
  const line = `from ${module} import ${names.join(', ')}\n`;
  if (line.length <= 100) return line;
  return `from ${module} import (\n${names.map((name) => `    ${name},\n`).join('')})\n`;
}
