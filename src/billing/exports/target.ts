import type { DeliveryTarget } from '../deliveries/outbox.ts';

/** Who gets invoices as documents. */
export const exportTargets = ['accounting', 'einvoice'] as const satisfies readonly DeliveryTarget[];
export type ExportTarget = (typeof exportTargets)[number];
