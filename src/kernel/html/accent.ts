/** The accent color of an installation in both color schemes, each as "#rrggbb". */
export interface Accent {
  readonly light: string;
  readonly dark: string;
}

/** The grounds that text in the accent color stands on, as the stylesheet of pages has them. */
export const grounds = {
  light: ['#fdfcfa', '#f6f3ee', '#ffffff'],
  dark: ['#171613', '#201e1a', '#211f1b'],
} as const;

/** The least contrast of text (WCAG 2.2, 1.4.3). */
export const LEAST_CONTRAST = 4.5;

/** Computes the relative luminance of a color "#rrggbb", as WCAG 2.2 defines it. */
function computeLuminance(color: string): number {
  const toLinear = (start: number): number => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * toLinear(1) + 0.7152 * toLinear(3) + 0.0722 * toLinear(5);
}

/** Computes the contrast of two colors, from 1 to 21. */
export function computeContrast(one: string, other: string): number {
  const darker = Math.min(computeLuminance(one), computeLuminance(other));
  const lighter = Math.max(computeLuminance(one), computeLuminance(other));
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the least contrast of an accent color with the grounds of a scheme. */
export const computeLeastContrast = (color: string, scheme: keyof typeof grounds): number =>
  Math.min(...grounds[scheme].map((ground) => computeContrast(color, ground)));

/**
 * Renders the rules that give pages the accent color. The text of a button is the ground of its
 * scheme, so that its contrast is one that was checked.
 */
export const renderAccentRules = ({ light, dark }: Accent): string => `:root{--accent:${light}}
@media screen and (prefers-color-scheme:dark){
  :root{--accent:${dark};--on-accent:${grounds.dark[0]}}
}
`;
