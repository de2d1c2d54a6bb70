const switches =
  'INTERACTIONS IDENTITY_CLAIMS TRUST REPUTATION ADJUDICATION CREDITS OFFERS TASKS RESEARCH ' +
  'CAMPAIGNS ISSUANCE DISPATCH';

/** The settings that switch everything on, hints aside. */
export const capabilitySettings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(switches.split(' ').map((name) => [`${name}_ENABLED`, 'on'])),
  SELF_SERVICE_ACTIVATION: 'on',
};
