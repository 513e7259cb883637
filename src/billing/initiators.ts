/** The services that issue invoices through us. */
export const initiators = ['registry', 'auction', 'eeid', 'business_registry'] as const;
export type Initiator = (typeof initiators)[number];

export const isInitiator = (text: unknown): text is Initiator => initiators.some((known) => known === text);
