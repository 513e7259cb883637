/** Why a call of billing was not carried out; nothing was changed by it. */
export type BillingRefusal =
  | { readonly kind: 'invalid'; readonly fields: Readonly<Record<string, readonly string[]>> }
  | { readonly kind: 'missing'; readonly text: string }
  /** The provider has said no, in his own words. */
  | { readonly kind: 'declined'; readonly code: number | string; readonly message: string }
  | { readonly kind: 'no-number' }
  | { readonly kind: 'provider-away' };

export class BillingRefused extends Error {
  override name = 'BillingRefused';
  readonly refusal: BillingRefusal;
  constructor(refusal: BillingRefusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

export function refuseField(field: string, text: string): never {
  throw new BillingRefused({ kind: 'invalid', fields: { [field]: [text] } });
}

export function refuseMissing(text: string): never {
  throw new BillingRefused({ kind: 'missing', text });
}
