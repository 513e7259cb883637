import type { SimulatedIdentity } from '../doors/sandbox/simulated-identity-provider.ts';
import type { Config } from '../platform/config/config.ts';
import type { Origin } from '../platform/config/origin.ts';
import type { IdentitySettings } from '../registry/people/identity-provider.ts';

export const IDENTITY_PATH = '/sandbox/identity';

/** The configured identity provider; that of the sandbox where none is; none in production then. */
export function identitySettings(config: Config, origin: Origin): IdentitySettings | undefined {
  const { mode, oidcIssuer, oidcClientId, oidcClientSecret, oidcScopes: scopes, oidcMinAcr: minAcr } = config;
  const issuer = oidcIssuer ?? (mode === 'sandbox' ? origin.urlForPeople + IDENTITY_PATH : undefined);
  if (issuer === undefined || oidcClientId === undefined || oidcClientSecret === undefined) return undefined;
  return {
    issuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    scopes,
    minAcr,
    allowsHttp: mode === 'sandbox',
  };
}

/** The one at /sandbox/identity. */
export const simulatedIdentity = (config: Config, origin: Origin): SimulatedIdentity => ({
  issuer: () => origin.urlForPeople + IDENTITY_PATH,
  clientId: config.oidcClientId ?? '',
  clientSecret: config.oidcClientSecret ?? '',
});
