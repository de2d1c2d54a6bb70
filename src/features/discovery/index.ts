import { getCapabilities } from './get-capabilities.ts';
import { getIcon } from './get-icon.ts';
import { getManifest } from './get-manifest.ts';
import { getMcpRegistryAuth } from './get-mcp-registry-auth.ts';
import { getRobots } from './get-robots.ts';
import { getSecurityText } from './get-security-text.ts';
import { getStats } from './get-stats.ts';
import { getVersion } from './get-version.ts';
import { showHome } from './show-home.ts';

export const discoveryOperations = [
  getVersion,
  getCapabilities,
  getManifest,
  getStats,
  getMcpRegistryAuth,
  getRobots,
  getSecurityText,
  getIcon,
  showHome,
] as const;
