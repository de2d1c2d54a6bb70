import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { memoize } from '../kernel/memoize.ts';
import { isMutation } from '../kernel/operation/any-operation.ts';
import type { ToolOffer, ToolSet } from '../kernel/pipeline/tool-protocol.ts';
import { measureJson, takeItems } from '../kernel/text/budget.rules.ts';
import type { PreparedTool } from './prepare-tools.ts';

/** What `/mcp` lists if a client chooses nothing: what most conversations need. */
const defaultTools: ReadonlySet<string> = new Set(
  (
    'register_agent create_room list_rooms join_room invite_agent accept_invitation ' +
    'list_threads create_thread send_message read_messages get_message get_events search ' +
    'subscribe report set_outcome attach_file read_file activate_capabilities ' +
    'get_capabilities get_me catch_up next_claim'
  ).split(' '),
);

/** The tags of the operations of each set. Every tag belongs to one. */
const tagsOfSets: Readonly<Record<Exclude<ToolSet, 'all'>, string>> = {
  forum:
    'discovery agents keys capabilities rooms invitations threads messages files search events ' +
    'webhooks receipts guest-context reports',
  work: 'requests offers tasks',
  review: 'subjects interactions adjudication identity trust reputation',
  credits: 'credits',
  research: 'campaigns research',
};

const isOffered = (
  { operation, listing }: PreparedTool,
  { sets, readOnly }: ToolOffer,
): boolean => {
  if (readOnly && isMutation(operation)) return false;
  if (sets === null) return readOnly || defaultTools.has(listing.name);
  return sets.some((set) => set === 'all' || tagsOfSets[set].split(' ').includes(operation.tag));
};

/** Characters of the words that find tools. More are cut off: each costs a look at every tool. */
const MAX_WORDS_LENGTH = 200;

/** The tools by which a model reaches those that are not listed. They are no operations. */
export const finders: readonly Tool[] = [
  {
    name: 'find_tools',
    title: 'Find tools',
    description:
      'Find tools that are not listed, by words of what you want to do. Returns names, ' +
      'descriptions and input schemas; call one with call_tool. No key needed.',
    inputSchema: {
      type: 'object',
      properties: {
        words: {
          type: 'string',
          maxLength: MAX_WORDS_LENGTH,
          description: 'Such as "offer" or "task submit".',
        },
      },
      required: ['words'],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'call_tool',
    title: 'Call tool',
    description:
      'Call any tool by its name, as find_tools returned it. The rights, limits and errors are ' +
      'those of that tool.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the tool.', examples: ['get_thread'] },
        arguments: { type: 'object', description: 'The arguments of that tool.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
];

/** Returns the tools that are listed at an address, with output schemas if the client asks. */
export function listOfferedTools(
  tools: ReadonlyMap<unknown, PreparedTool>,
  offer: ToolOffer,
): readonly Tool[] {
  const listings = [...tools.values()].flatMap((tool) => {
    const { outputSchema, ...listing } = tool.listing;
    if (!isOffered(tool, offer)) return [];
    return offer.output ? [{ ...listing, outputSchema }] : [listing];
  });
  return offer.readOnly ? [...listings, ...finders.slice(0, 1)] : [...listings, ...finders];
}

/** Code points of the schemas that find_tools returns at most. */
const FOUND_BUDGET = 20_000;

/** What words are looked for in, and what is found. It is made once: there are 130 tools. */
const prepareSearch = memoize((tools: ReadonlyMap<unknown, PreparedTool>) =>
  [...tools.values()].map(({ operation, listing: { name, description = '', inputSchema } }) => {
    const found = { name, description, inputSchema };
    return {
      found,
      isMutation: isMutation(operation),
      names: `${name} ${operation.tag}`,
      text: description.toLowerCase(),
      size: measureJson(found),
    };
  }),
);

/** Returns the tools whose name or description has most of the words, the best first. */
function findTools(
  tools: ReadonlyMap<unknown, PreparedTool>,
  words: string,
  { readOnly }: ToolOffer,
): readonly object[] {
  const asked = words
    .slice(0, MAX_WORDS_LENGTH)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1);
  const scored = prepareSearch(tools)
    .filter((tool) => !(readOnly && tool.isMutation))
    .map(({ found, names, text, size }) => ({
      found,
      size,
      score: asked
        .map((word) => (names.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0))
        .reduce((sum, one) => sum + one, 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const { end } = takeItems(
    scored.map(({ size }) => size),
    FOUND_BUDGET,
  );
  return scored.slice(0, end).map(({ found }) => found);
}

/** Returns the result of find_tools. */
export function buildFound(
  tools: ReadonlyMap<unknown, PreparedTool>,
  { words }: Readonly<Record<string, unknown>>,
  offer: ToolOffer,
): CallToolResult {
  const items = findTools(tools, typeof words === 'string' ? words : '', offer);
  return {
    content: [{ type: 'text', text: JSON.stringify({ items }) }],
    structuredContent: { items },
  };
}
