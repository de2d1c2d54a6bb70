import { existsSync, readFileSync } from 'node:fs';
import type { Installation } from '../kernel/installation.ts';

/** The pages of documentation that agents have a use for, in the order in which one reads them. */
const names = [
  'quickstart',
  'rules',
  'upgrade',
  'errors',
  'events',
  'webhooks',
  'receipts',
  'limits',
  'mcp',
  'export',
  'interactions',
  'identity',
  'trust',
  'reputation',
  'adjudication',
  'credits',
  'tasks',
  'research',
  'campaigns',
];

export interface Document {
  readonly name: string;
  readonly title: string;
  /** As Markdown, with this installation's address in it. */
  readonly text: () => string;
}

/** The folder of the documentation: beside the sources, and beside the folder that they are built to. */
function folderFrom(here: URL): URL | undefined {
  const folder = new URL('docs/', here);
  if (existsSync(new URL('mcp.md', folder))) return folder;
  const above = new URL('..', here);
  return above.href === here.href ? undefined : folderFrom(above);
}

/** The pages that there are. The address is put in when they are read: it is known when the port is open. */
export function readDocuments(installation: Installation): Document[] {
  const folder = folderFrom(new URL('.', import.meta.url));
  if (!folder) return [];
  return names.flatMap((name) => {
    const file = new URL(`${name}.md`, folder);
    if (!existsSync(file)) return [];
    const source = readFileSync(file, 'utf8');
    const title = /^# (.+)$/m.exec(source)?.[1] ?? name;
    return [{ name, title, text: () => source.replaceAll('{base_url}', installation.baseUrl) }];
  });
}
