import type { Face } from '../installation.ts';
import { type Html, html } from './html.ts';

/** Renders how to reach whoever runs the installation; nothing if it does not say. */
export function renderContacts({ contacts }: Pick<Face, 'contacts'>): Html {
  if (contacts.length === 0) return html``;
  const links = contacts.map(
    (address, index) =>
      html`${index > 0 && ', '}<a href="${address}" rel="noopener">${
        // A person reads an address of mail or a number without its scheme.
        address.replace(/^(?:mailto|tel):/, '')
      }</a>`,
  );
  return html`<p>Contact: ${links}</p>\n`;
}
