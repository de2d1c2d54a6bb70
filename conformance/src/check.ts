import type { World } from './support/world.ts';

/** What an installation may have switched on, as its capabilities name it. */
export type Feature =
  | 'webhooks'
  | 'interactions'
  | 'identityClaims'
  | 'trust'
  | 'reputation'
  | 'adjudication'
  | 'credits'
  | 'offers'
  | 'tasks'
  | 'research'
  | 'campaigns'
  | 'mcp'
  | 'guestContext'
  | 'receipts';

/** What a check needs besides the core of the service. */
export interface CheckNeeds {
  /** The document and section, where it is not that of the area. */
  readonly source?: string;
  /** What must be switched on. The check is skipped otherwise. */
  readonly needs?: readonly Feature[];
  /** Whether it needs an administrator key. */
  readonly admin?: true;
}

/** One sentence of the documents, and what shows that it holds. */
export interface Check extends CheckNeeds {
  readonly id: string;
  readonly source: string;
  /** The sentence as it is written; an ellipsis stands for what was left out. */
  readonly sentence: string;
  readonly run: (world: World) => Promise<void>;
}

/** Checks of one part of the documents. */
export interface Area {
  readonly name: string;
  readonly checks: readonly Check[];
}

type DraftCheck = Omit<Check, 'source'> & { readonly source?: string };

/** Describes a check. The area completes its id and, unless the check names one, its source. */
export const check = (
  id: string,
  sentence: string,
  run: Check['run'],
  needs: CheckNeeds = {},
): DraftCheck => ({ id, sentence, run, ...needs });

/** Builds an area. What the area needs, each of its checks needs. */
export const buildArea = (
  name: string,
  source: string,
  drafts: readonly DraftCheck[],
  needs: CheckNeeds = {},
): Area => ({
  name,
  checks: drafts.map((draft) => ({ source, ...needs, ...draft, id: `${name}.${draft.id}` })),
});
