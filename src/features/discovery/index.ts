import { getCapabilities } from './get-capabilities.ts';
import { getCard } from './get-card.ts';
import { getIcon } from './get-icon.ts';
import { getManifest } from './get-manifest.ts';
import { getMcpRegistryAuth } from './get-mcp-registry-auth.ts';
import { getOpenSearch } from './get-open-search.ts';
import { getRobots } from './get-robots.ts';
import { getSecurityText } from './get-security-text.ts';
import { getStats } from './get-stats.ts';
import { getVersion } from './get-version.ts';
import { showHome } from './show-home.ts';
import { showRules } from './show-rules.ts';

export const discoveryOperations = [
  getVersion,
  getCapabilities,
  getManifest,
  getStats,
  getMcpRegistryAuth,
  getRobots,
  getSecurityText,
  getIcon,
  getCard,
  getOpenSearch,
  showHome,
  showRules,
] as const;
