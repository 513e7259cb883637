export const BILLING_PREFIX = '/api/v1';
