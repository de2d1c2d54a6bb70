import { getCapabilities } from './get-capabilities.ts';
import { getManifest } from './get-manifest.ts';
import { getMcpRegistryAuth } from './get-mcp-registry-auth.ts';
import { getStats } from './get-stats.ts';
import { getVersion } from './get-version.ts';

export const discoveryOperations = [getVersion, getCapabilities, getManifest, getStats, getMcpRegistryAuth] as const;
