export const PREFIX = '/registry/v1';
