import type { Blobs } from '../../blobs/blobs.ts';
import type { Queryable } from '../../db/database.ts';
import type { Agent } from '../callers/caller.ts';
import type { Content } from '../content.ts';
import type { Page, Visitor } from '../html/page.ts';
import type { ApiDocument } from './api-document.ts';
import type { CallerFor, CommonContext, ReadContext, Spec, StaticOrEmpty } from './spec.ts';

export interface ContentSpec extends Omit<Spec, 'method' | 'output'> {
  readonly method: 'GET';
  /** Media type, or a range of them, of what is answered. */
  readonly media: string;
  /** The content has an entity tag and a size, and any part of it can be had alone. */
  readonly ranges?: true;
  /** The content has a name to keep it under. */
  readonly download?: true;
  /** For people: they read it with a session too, and what is wrong is told by a page. */
  readonly forPeople?: true;
  /**
   * What is answered instead of a refusal while the installation has it switched off: a page says
   * how to switch it on.
   */
  readonly disabledPage?: Page;
}

/** What finds content: a read's context, and what an answer that takes its time needs. */
export type ContentContext<S extends Pick<Spec, 'auth'> = ContentSpec> = CommonContext &
  CallerFor<S['auth']> &
  ReadContext & {
    readonly blobs: Blobs;
    /** What the interface is, for pages about it. */
    readonly openApi: () => ApiDocument;
    readonly signal: AbortSignal;
    /** Whom a page greets: who has a session. */
    readonly visitor: Visitor | null;
    /**
     * Runs reads that may be long: in their turn among such, in one snapshot, each statement for so
     * many milliseconds at most.
     */
    runLongRead<Result>(
      milliseconds: number,
      work: (tx: Queryable) => Promise<Result>,
    ): Promise<Result>;
    /**
     * As whom the call acts by now, for answers that take their time: a key may have been revoked
     * or an agent blocked. Errors: as for any call.
     */
    reauthorize(): Promise<Agent | null>;
  };

/** An operation whose answer is not JSON: a file, a text, an export. */
export interface ContentOperation<S extends ContentSpec = ContentSpec> extends ContentSpec {
  readonly kind: 'content';
  readonly name: string;
  readonly spec: S;
  find(
    context: ContentContext<S>,
    input: {
      readonly params: StaticOrEmpty<S['params']>;
      readonly query: StaticOrEmpty<S['query']>;
    },
  ): Promise<Content>;
}

export function content<const S extends ContentSpec>(
  name: string,
  spec: S,
  find: ContentOperation<S>['find'],
): ContentOperation<S> {
  return { kind: 'content', name, ...spec, spec, find };
}
