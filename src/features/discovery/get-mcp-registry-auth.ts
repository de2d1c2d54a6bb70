import { fail } from '../../kernel/errors.ts';
import { content } from '../../kernel/operation/content-operation.ts';

export const getMcpRegistryAuth = content(
  'getMcpRegistryAuth',
  {
    method: 'GET',
    path: '/.well-known/mcp-registry-auth',
    tag: 'discovery',
    summary: 'Get the line that proves the ownership of this domain to the MCP registry.',
    description: 'Returns the setting `MCP_REGISTRY_AUTH`; `not_found` if it is not set.',
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
        'This installation is not in an MCP registry. Its operator can set MCP_REGISTRY_AUTH.',
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
