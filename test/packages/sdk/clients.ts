import { Registry, type RegistryOptions } from '../../../packages/sdk/src/index.ts';

/** Short waits for tests. */
export const QUICK = { retries: 4, firstWaitMs: 2, maxWaitMs: 60_000 };

/** A client of a sandbox, as one of its users. */
export const clientOf = (
  baseUrl: string,
  username = 'alpha',
  options: Partial<RegistryOptions> = {},
): Registry =>
  new Registry({ baseUrl, username, password: `${username}-sandbox-password`, retry: QUICK, ...options });
