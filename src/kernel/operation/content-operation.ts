import type { Blobs } from '../../blobs/blobs.ts';
import type { Queryable, ReadQueue } from '../../db/database.ts';
import type { Agent } from '../callers/caller.ts';
import type { Content } from '../content.ts';
import type { Page, Visitor } from '../html/page.ts';
import type { ApiDocument } from './api-document.ts';
import type { Operation } from './operation.ts';
import type {
  CallerFor,
  CommonContext,
  Preparing,
  QueryOf,
  ReadContext,
  Spec,
  StaticOrEmpty,
} from './spec.ts';

/** The declaration of an operation whose answer is not JSON. */
export interface ContentSpec extends Omit<Spec, 'method' | 'output'> {
  readonly method: 'GET';
  /** The media type of the answer, or a range of media types. */
  readonly media: string;
  /** The content has an entity tag and a size, and any range of its bytes can be requested. */
  readonly ranges?: true;
  /** The content has a file name under which it can be saved. */
  readonly download?: true;
  /**
   * The operation is for people: it accepts a session as well as a key, and answers an error with a
   * page.
   */
  readonly forPeople?: true;
  /**
   * Callers without a credential get the same answer, whose bytes are in memory, and it says
   * nothing of them. Those who ask for it at the same time share one read.
   */
  readonly sameForStrangers?: true;
  /** The name of the cookie in which the reader's browser keeps a mark, if there is one. */
  readonly bookmark?: string;
  /** What answers in place of a page where Accept asks for Markdown, with the same parameters. */
  readonly markdown?: ContentOperation | Operation;
  /**
   * The page that replaces a refusal while the installation has the feature switched off. It says
   * how to switch the feature on.
   */
  readonly disabledPage?: Page;
}

/** The context of a handler that finds content: that of a read, and what a slow answer needs. */
export type ContentContext<S extends Pick<Spec, 'auth'> = ContentSpec> = CommonContext &
  CallerFor<S['auth']> &
  ReadContext &
  Preparing & {
    readonly blobs: Blobs;
    /** Returns the OpenAPI document, for pages about the API. */
    readonly openApi: () => ApiDocument;
    /** Returns a signal that aborts when the answer is over or the caller disconnects. */
    readonly signal: () => AbortSignal;
    /** The mark that the reader's browser has kept for this address. Anyone could write it. */
    readonly bookmark: string | undefined;
    /** The person whom the page greets; null without a session. */
    readonly visitor: Visitor | null;
    /**
     * Runs the read of many texts in a turn for which others wait: call `holdPrepared` inside
     * `read`, and render after it.
     * Errors: those of `read`; `rate_limited` for a caller that owes for earlier answers.
     */
    readInTurn<Result>(read: () => Promise<Result>): Promise<Result>;
    /**
     * Runs long reads in one snapshot. Few of them run at once, and further ones wait their turn in
     * a queue, by default that of long ones. Each statement has `milliseconds`.
     * Errors: DatabaseUnavailable when a statement takes longer.
     */
    runLongRead<Result>(
      milliseconds: number,
      work: (tx: Queryable) => Promise<Result>,
      queue?: ReadQueue,
    ): Promise<Result>;
    /**
     * Authenticates and authorizes the caller again, for slow answers: meanwhile its key may have
     * been revoked or its agent blocked. Returns the agent that the call acts as.
     * Errors: those of any call.
     */
    reauthorize(): Promise<Agent | null>;
  };

/** An operation whose answer is not JSON, such as a file, a text or an export. */
export interface ContentOperation<S extends ContentSpec = ContentSpec> extends ContentSpec {
  readonly kind: 'content';
  readonly name: string;
  readonly spec: S;
  find(
    context: ContentContext<S>,
    input: {
      readonly params: StaticOrEmpty<S['params']>;
      readonly query: QueryOf<S>;
    },
  ): Promise<Content>;
}

/** Declares an operation whose answer is not JSON. */
export function content<const S extends ContentSpec>(
  name: string,
  spec: S,
  find: ContentOperation<S>['find'],
): ContentOperation<S> {
  return { kind: 'content', name, ...spec, spec, find };
}
