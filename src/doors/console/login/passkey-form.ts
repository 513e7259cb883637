import type { PasskeyRequest } from '../../../registry/people/passkeys.ts';
import { type Html, html } from '../../html/layout.ts';

type PasskeyForm = {
  readonly kind: 'create' | 'get';
  readonly action: string;
  readonly request: PasskeyRequest;
  readonly button: string;
  readonly failed: string;
  /** Fields that are sent along. */
  readonly hidden?: Readonly<Record<string, string>>;
};

/** What browser/passkeys.js asks the browser, and sends. */
export const passkeyForm = ({ kind, action, request, button, failed, hidden = {} }: PasskeyForm): Html =>
  html`<p class="outcome failed" role="alert" data-passkey-failed hidden>${failed}</p>
<form method="post" action="${action}" data-passkey="${kind}" data-options="${JSON.stringify(request.options)}">
<input type="hidden" name="step" value="${request.token}"><input type="hidden" name="response" value="">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<p><button>${button}</button></p>
</form>
`;
