import type { Content } from '../content.ts';
import { assertStillMissing, isKept, keepPage, type MadePage } from '../html/kept-pages.ts';
import { buildPageContent, type Page, type View } from '../html/page.ts';
import { RawJson } from '../schema/json.ts';
import {
  type ContentContext,
  type ContentOperation,
  type ContentSpec,
  content,
} from './content-operation.ts';
import type { Operation } from './operation.ts';
import type { CallerFor, Context, Input, Output, Spec } from './spec.ts';

type PageSpec = Omit<
  ContentSpec,
  'method' | 'media' | 'cached' | 'ranges' | 'download' | 'forPeople'
>;

/** The context of a page's handler: that of a read of content, and the view. */
export type PageContext<S extends Pick<Spec, 'auth'>> = ContentContext<S> & { readonly view: View };

/** Returns the view of a page: the installation, and the person who reads it. */
export const toView = ({
  installation,
  visitor,
}: Pick<ContentContext, 'installation' | 'visitor'>): View => ({ installation, visitor });

/** What a page shows, as JSON can say it, and what renders it from nothing else. */
interface PageOfFacts {
  readonly facts: unknown;
  readonly render: () => Page;
}

/**
 * Returns a page that depends on nothing but its facts. While they stay the same it is rendered
 * once for all callers without a credential, so times in them should be no more exact than the page
 * says them.
 */
export const pageOfFacts = <Facts>(facts: Facts, render: (facts: Facts) => Page): PageOfFacts => ({
  facts,
  render: () => render(facts),
});

/** Whether a page is for somebody without a credential, who sees what anyone may see. */
const isStranger = ({
  visitor,
  agent,
  administrator,
}: Pick<ContentContext, 'visitor'> & Partial<CallerFor<'public'>>): boolean =>
  !visitor && !agent && !administrator;

type PageInput<S extends PageSpec> = Parameters<ContentOperation<S & ContentSpec>['find']>[1];

/**
 * Declares a page for people. It is a read like any other, for callers with a key or a session, and
 * answers with HTML. When its handler marks it as private, by `reply.private` or in the page
 * itself, no cache may store it.
 *
 * `findVersion` is asked for callers without a credential. It decides about access as the page
 * does, and returns a text that changes with everything that the page shows to them; null if it has
 * none. A page with a version is made once for all of them. It fails as the page does.
 */
export function page<const S extends PageSpec>(
  name: string,
  spec: S,
  show: (context: PageContext<S>, input: PageInput<S>) => Promise<Page | PageOfFacts>,
  findVersion?: (context: PageContext<S>, input: PageInput<S>) => Promise<string | null>,
): ContentOperation<S & ContentSpec> {
  const find = async (context: ContentContext<S>, input: never): Promise<Content> => {
    const view = toView(context);
    const isForStranger = isStranger(context);
    const toPageContext = (base: ContentContext<S>) =>
      ({ ...base, view }) as unknown as PageContext<S>;
    const pageContext = toPageContext(context);
    const build = (page: Page) => {
      const isPrivate = page.private === true || context.reply.private === true;
      const { query } = input as Pick<Page, 'query'>;
      const whole = { ...page, ...(query && { query }), private: isPrivate };
      return { content: buildPageContent(whole, view), lasts: page.expires !== true };
    };
    const keep = (version: string, make: () => Promise<MadePage> | MadePage) =>
      keepPage(view.installation, `${name} ${version}`, make);
    const make = async (showContext = pageContext) => {
      const shown = await show(showContext, input);
      if (!('facts' in shown)) return build(shown);
      const { facts, render } = shown;
      if (!isForStranger) return build(render());
      return keep(JSON.stringify([input, context.reply.private, facts]), () => build(render()));
    };
    const version = isForStranger ? await findVersion?.(pageContext, input) : null;
    if (typeof version !== 'string') return (await make()).content;
    const key = `${name} ${version}`;
    // What is read after a wait may be more than the version says.
    let isNewer = false;
    // Whoever has its turn after others have made the same page shares theirs.
    const readInTurn: ContentContext['readInTurn'] = (read) =>
      context.readInTurn(async () => {
        // What was kept meanwhile may have been deleted since.
        if (isKept(view.installation, key) && (await findVersion?.(pageContext, input)) === version)
          assertStillMissing(view.installation, key);
        const found = await read();
        isNewer = (await findVersion?.(pageContext, input)) !== version;
        return found;
      });
    const inTurn = toPageContext({ ...context, readInTurn });
    const makeInTurn = async () => {
      const made = await make(inTurn);
      return { ...made, lasts: made.lasts && !isNewer };
    };
    return (await keep(version, makeInTurn)).content;
  };
  return content(
    name,
    { ...spec, method: 'GET', media: 'text/html', cached: true, forPeople: true } as never,
    find as never,
  );
}

/**
 * Runs an operation of the API for the caller of a page or form and returns its output. Pages thus
 * show, and forms do, exactly what the API does: by the same handler, in the same transaction.
 */
export async function runOperation<S extends Spec>(
  operation: Operation<S>,
  context: Context<S>,
  input: Input<S>,
): Promise<Output<S>> {
  const found = await operation.handle(context, input);
  return found instanceof RawJson ? (JSON.parse(String(found.text)) as Output<S>) : found;
}
