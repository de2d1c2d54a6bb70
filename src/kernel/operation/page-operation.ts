import type { Content } from '../content.ts';
import { buildPageContent, type Page, type View } from '../html/page.ts';
import { RawJson } from '../schema/json.ts';
import {
  type ContentContext,
  type ContentOperation,
  type ContentSpec,
  content,
} from './content-operation.ts';
import type { Operation } from './operation.ts';
import type { Context, Input, Output, Spec } from './spec.ts';

type PageSpec = Omit<
  ContentSpec,
  'method' | 'media' | 'cached' | 'ranges' | 'download' | 'forPeople'
>;

/** What a page's handler has beyond a read's. */
export type PageContext<S extends Pick<Spec, 'auth'>> = ContentContext<S> & { readonly view: View };

/** For whom a page is made, from what any handler of one has. */
export const toView = ({
  installation,
  visitor,
}: Pick<ContentContext, 'installation' | 'visitor'>): View => ({ installation, visitor });

/**
 * Declares a page for people at an address: a read like any other, for whoever has a key or a
 * session, that answers with HTML. What its handlers found private, by `reply.private` or by the
 * page itself, nobody may keep.
 */
export function page<const S extends PageSpec>(
  name: string,
  spec: S,
  show: (
    context: PageContext<S>,
    input: Parameters<ContentOperation<S & ContentSpec>['find']>[1],
  ) => Promise<Page>,
): ContentOperation<S & ContentSpec> {
  const find = async (context: ContentContext<S>, input: never): Promise<Content> => {
    const view = toView(context);
    const rendered = await show({ ...context, view } as unknown as PageContext<S>, input);
    return buildPageContent(
      { ...rendered, private: rendered.private === true || context.reply.private === true },
      view,
    );
  };
  return content(
    name,
    { ...spec, method: 'GET', media: 'text/html', cached: true, forPeople: true } as never,
    find as never,
  );
}

/**
 * What an operation of the API answers to this caller: a page shows the same, a form does the same,
 * by the same handler in the same transaction.
 */
export async function runOperation<S extends Spec>(
  operation: Operation<S>,
  context: Context<S>,
  input: Input<S>,
): Promise<Output<S>> {
  const found = await operation.handle(context, input);
  return found instanceof RawJson ? (JSON.parse(String(found.text)) as Output<S>) : found;
}
