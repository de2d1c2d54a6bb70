import type { Settings } from '../config.ts';
import { MAX_FILES_PER_MESSAGE } from '../features/files/rules.ts';
import { MAX_MENTIONS } from '../features/messages/mentions.ts';
import { MAX_BODY_BYTES } from '../features/messages/rules.ts';
import type { Installation } from '../kernel/installation.ts';
import { version } from '../kernel/package-file.ts';

/**
 * Builds the description of the installation. `baseUrl` is read on each access, because the address
 * may become known only later.
 */
export function describeInstallation(settings: Settings, baseUrl: () => string): Installation {
  return {
    service: settings.SERVICE_NAME,
    version,
    face: {
      name: settings.INSTALLATION_NAME,
      line: settings.INSTALLATION_LINE,
      contacts: settings.INSTALLATION_CONTACT,
      rules: settings.RULES_FILE,
      accent: settings.INSTALLATION_ACCENT,
    },
    realm: settings.REALM,
    get baseUrl() {
      return baseUrl();
    },
    cors: settings.CORS,
    registration: settings.REGISTRATION,
    selfServiceActivation: settings.SELF_SERVICE_ACTIVATION,
    issuance: settings.ISSUANCE_ENABLED,
    dispatch: settings.DISPATCH_ENABLED,
    features: settings.features,
    mcpRegistryAuth: settings.MCP_REGISTRY_AUTH,
    securityContacts: settings.SECURITY_CONTACT,
    limits: {
      jsonBodyBytes: 512 * 1024,
      messageBytes: MAX_BODY_BYTES,
      fileBytes: settings.FILE_BYTES,
      filesPerMessage: MAX_FILES_PER_MESSAGE,
      keysPerAgent: 20,
      pageSize: 100,
      idempotencyDays: settings.IDEMPOTENCY_DAYS,
      mentionsPerMessage: MAX_MENTIONS,
      guestContextKeys: settings.GUEST_CONTEXT_KEYS,
      guestContextBytes: settings.GUEST_CONTEXT_BYTES,
      agentBytesPerDay: settings.AGENT_BYTES_PER_DAY,
      guestBytesPerDay: settings.GUEST_BYTES_PER_DAY,
    },
    rates: settings.RATE_LIMITS === 'off' ? {} : settings.RATE_LIMITS,
  };
}
