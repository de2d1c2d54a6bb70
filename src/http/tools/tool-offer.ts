import type { FastifyRequest } from 'fastify';
import { fail, failField } from '../../kernel/errors.ts';
import { type ToolOffer, type ToolSet, toolSets } from '../../kernel/pipeline/tool-protocol.ts';

/** The address of the tool protocol. */
const TOOLS_PATH = '/mcp';
const READ_ONLY_PATH = '/mcp/readonly';
const SET_PATH = '/mcp/x/:set';

/** The address for clients that sign in. It answers 401 to everyone else. */
export const SIGN_IN_TOOLS_PATH = '/mcp/sign-in';

/** The addresses of the tool protocol. They differ in the tools that they list. */
const openToolPaths: readonly string[] = [TOOLS_PATH, READ_ONLY_PATH, SET_PATH];

/** Lists all addresses of the tool protocol here. */
export const listToolPaths = (hasSignIn: boolean): readonly string[] =>
  hasSignIn ? [...openToolPaths, SIGN_IN_TOOLS_PATH] : openToolPaths;

const isToolSet = (name: string): name is ToolSet => toolSets.some((set) => set === name);

/**
 * Reads which tools a client has chosen: by its address, or else by X-MCP-Toolsets.
 * Errors: `not_found` for an unknown set, `invalid_request` for an unknown name in the header.
 */
export function readOffer({ headers, params, query, routeOptions }: FastifyRequest): ToolOffer {
  const output = (query as { readonly output?: unknown }).output === 'true';
  const readOnly = routeOptions.url === READ_ONLY_PATH;
  const { set } = params as { readonly set?: string };
  if (set !== undefined) {
    if (!isToolSet(set))
      throw fail(
        'not_found',
        `There is no such set of tools. Use one of these: ${toolSets.join(', ')}.`,
      );
    return { sets: [set], readOnly, output };
  }
  const header = String(headers['x-mcp-toolsets'] ?? '').trim();
  if (header === '') return { sets: null, readOnly, output };
  const names = header.split(',').map((name) => name.trim());
  if (!names.every(isToolSet))
    throw failField('/header/X-MCP-Toolsets', `must have only names of: ${toolSets.join(', ')}`);
  return { sets: names, readOnly, output };
}
