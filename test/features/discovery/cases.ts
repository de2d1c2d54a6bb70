import { everyone } from '../../operations/access.ts';
import { anyone, byAnyone } from '../../operations/inputs.ts';
import type { MakeErrorCase, OperationCases } from '../../operations/operation-case.ts';

/** The document on a node without the setting that it shows. */
const onNodeWith =
  (settings: Record<string, string>): MakeErrorCase =>
  async ({ app }) => ({ input: {}, as: anyone, url: (await app.startNode(settings)).url });

export const cases: OperationCases = {
  getVersion: { call: byAnyone(), access: everyone },
  getCapabilities: { call: byAnyone(), access: everyone },
  getManifest: { call: byAnyone(), access: everyone },
  getStats: { call: byAnyone(), access: everyone },
  getMcpRegistryAuth: {
    call: byAnyone(),
    errors: { not_found: onNodeWith({ MCP_REGISTRY_AUTH: '' }) },
    access: everyone,
  },
  getRobots: { call: byAnyone(), access: everyone },
  getSecurityText: {
    call: byAnyone(),
    errors: { not_found: onNodeWith({ SECURITY_CONTACT: '' }) },
    access: everyone,
  },
  getIcon: { call: byAnyone(), access: everyone },
  getCard: { call: byAnyone(), access: everyone },
  getOpenSearch: { call: byAnyone(), access: everyone },
  showRules: { call: byAnyone(), access: everyone },
  showHome: { call: byAnyone(), access: everyone },
};
