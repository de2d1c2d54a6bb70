import {
  defaultLoadLimits,
  type LoadLimitValues,
  loadLimitNames,
} from './kernel/limits/load-limit-values.ts';
import type { Rate } from './kernel/limits/rate-limit-subjects.ts';
import { defaultRates, type Rates, rateClasses } from './kernel/limits/rate-limits.ts';
import { type Parse, SettingError } from './setting-parsers.ts';

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

export const rates: Parse<Rates | 'off'> = (value, name) => {
  if (value === undefined || value === '' || /^(on|true)$/i.test(value)) return defaultRates;
  if (/^(off|false)$/i.test(value)) return 'off';
  const changed: Partial<Record<string, Rate>> = {};
  for (const part of value.split(',')) {
    const [, policy = '', tokens = '', unit = ''] =
      /^\s*(\w+)=(\d+)\/([smhd])\s*$/.exec(part) ?? [];
    if (!(rateClasses as readonly string[]).includes(policy) || Number(tokens) < 1) {
      throw new SettingError(
        name,
        'must be "on", "off" or overrides such as writes=600/m,registrations=10/h (of ' +
          `${rateClasses.join(', ')}), not "${value}".`,
      );
    }
    changed[policy] = {
      tokens: Number(tokens),
      seconds: unitSeconds[unit as keyof typeof unitSeconds],
    };
  }
  return { ...defaultRates, ...changed } as Rates;
};

export const loadLimits: Parse<LoadLimitValues | 'off'> = (value, name) => {
  if (value === undefined || value === '' || /^(on|true)$/i.test(value)) return defaultLoadLimits;
  if (/^(off|false)$/i.test(value)) return 'off';
  const changed: Record<string, number> = {};
  for (const part of value.split(',')) {
    const [, limit = '', amount = ''] = /^\s*(\w+\.\w+)=(\d{1,12})\s*$/.exec(part) ?? [];
    if (!(loadLimitNames as readonly string[]).includes(limit) || Number(amount) < 1)
      throw new SettingError(
        name,
        'must be "on", "off" or overrides such as waits.agent=32,bodyBytes.process=134217728 (of ' +
          `${loadLimitNames.join(', ')}), not "${value}".`,
      );
    changed[limit] = Number(amount);
  }
  return { ...defaultLoadLimits, ...changed };
};
