import { type Html, html } from '../../html/layout.ts';

/** Quiet zone that readers need, in modules. */
const BORDER = 4;

/** A QR code as SVG, dark on white in every colour scheme. */
export async function qrCode(text: string, label: string): Promise<Html> {
  // Few people set up an app: nobody else should wait for it.
  const { encodeQR } = await import('qr');
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER });
  const path = modules
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${modules.length} ${modules.length}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${modules.length}v${modules.length}H0z"/><path fill="#000" d="${path}"/></svg>`;
}
