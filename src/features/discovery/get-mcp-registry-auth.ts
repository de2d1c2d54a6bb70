import { content } from '../../kernel/operation/content-operation.ts';
import { fail } from '../../kernel/errors.ts';

export const getMcpRegistryAuth = content(
  'getMcpRegistryAuth',
  {
    method: 'GET',
    path: '/.well-known/mcp-registry-auth',
    tag: 'discovery',
    summary: 'The line that proves to the MCP registry whose this domain is.',
    description: 'The setting `MCP_REGISTRY_AUTH`; `not_found` where nobody set it.',
    auth: 'public',
    media: 'text/plain; charset=utf-8',
    examples: { output: 'v=MCPv1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=' },
    errors: ['not_found'],
  },
  async ({ installation }) => {
    const { mcpRegistryAuth: line } = installation;
    if (line === null)
      throw fail(
        'not_found',
        'This installation is in no MCP registry. Its operator sets MCP_REGISTRY_AUTH.',
      );
    return {
      mediaType: 'text/plain; charset=utf-8',
      private: false,
      open: async function* () {
        yield line;
      },
    };
  },
);
