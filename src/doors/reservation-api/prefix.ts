export const RESERVATION_PREFIX = '/api/v1/business_registry';
